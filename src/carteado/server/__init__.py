"""The server: live matches over HTTP and one socket a client. It alone touches database, sockets and secrets."""
