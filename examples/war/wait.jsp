<%@ page contentType="text/html;charset=UTF-8" session="false" %>
<% Thread.sleep(50); %>
<!DOCTYPE html>
<html lang="en">
<head><title>Waited</title></head>
<body>
<p>Here you are: as from a database that takes 50 ms.</p>
</body>
</html>
