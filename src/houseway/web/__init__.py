"""The house in the browser: pages, a REST API and live streams; thin, with no rule and no arithmetic on money."""
