"""Link texts and titles of MediaWiki dumps and web pages."""
