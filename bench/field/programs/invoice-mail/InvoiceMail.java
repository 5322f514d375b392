package invoices;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlAttribute;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlElementWrapper;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Delivers invoices as XML to the mail house. */
public final class InvoiceMail {

    @XmlRootElement(name = "invoice")
    @XmlAccessorType(XmlAccessType.FIELD)
    static class Invoice {
        @XmlAttribute
        int number;

        @XmlElement
        String date;

        @XmlElement
        Address address;

        @XmlElementWrapper(name = "items")
        @XmlElement(name = "item")
        List<Item> items = new ArrayList<>();

        @XmlElement
        long total;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    static class Address {
        String name;
        String street;
        String town;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    static class Item {
        @XmlAttribute
        int position;

        String text;
        int quantity;
        long cents;
    }

    private final AtomicInteger numbers = new AtomicInteger(70_000);
    private final InvoiceWriter writer;

    InvoiceMail(InvoiceWriter writer) {
        this.writer = writer;
    }

    void invoice(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = writer.write(next()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/xml");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (JAXBException e) {
            exchange.sendResponseHeaders(500, -1);
        }
    }

    private Invoice next() {
        Invoice invoice = new Invoice();
        invoice.number = numbers.incrementAndGet();
        invoice.date = LocalDate.ofEpochDay(20_000 + invoice.number % 300).toString();
        invoice.address = new Address();
        invoice.address.name = "Customer " + invoice.number % 977;
        invoice.address.street = "High Street " + invoice.number % 120;
        invoice.address.town = "Springfield";
        for (int position = 1; position <= 5; position++) {
            Item item = new Item();
            item.position = position;
            item.text = "Article " + position;
            item.quantity = position % 3 + 1;
            item.cents = 995L * position;
            invoice.items.add(item);
            invoice.total += item.cents * item.quantity;
        }
        return invoice;
    }

    interface InvoiceWriter {
        String write(Invoice invoice) throws JAXBException;
    }

    static final class XmlInvoices implements InvoiceWriter {
        @Override
        public String write(Invoice invoice) throws JAXBException {
            return marshal(JAXBContext.newInstance(Invoice.class), invoice);
        }
    }

    static final class SharedXmlInvoices implements InvoiceWriter {
        private final JAXBContext context;

        SharedXmlInvoices() throws JAXBException {
            context = JAXBContext.newInstance(Invoice.class);
        }

        @Override
        public String write(Invoice invoice) throws JAXBException {
            return marshal(context, invoice);
        }
    }

    private static String marshal(JAXBContext context, Invoice invoice) throws JAXBException {
        Marshaller marshaller = context.createMarshaller();
        marshaller.setProperty(Marshaller.JAXB_FORMATTED_OUTPUT, true);
        StringWriter out = new StringWriter();
        marshaller.marshal(invoice, out);
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        InvoiceMail mail = new InvoiceMail(fixed ? new SharedXmlInvoices() : new XmlInvoices());
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 100);
        server.createContext("/", mail::invoice);
        server.setExecutor(Executors.newFixedThreadPool(
                16, Thread.ofPlatform().name("invoice-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
