"""Programs by other people that play games of golpae, each behind an adapter for `golpae conform`."""
