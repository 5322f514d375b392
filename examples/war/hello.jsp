<%@ page contentType="text/html;charset=UTF-8" session="false" %>
<!DOCTYPE html>
<html lang="en">
<head><title>Hello</title></head>
<body>
<p>Hello from <%= application.getServerInfo() %>.</p>
<ul>
<% for (int i = 1; i <= 20; i++) { %>
  <li><%= i %> squared is <%= i * i %></li>
<% } %>
</ul>
</body>
</html>
