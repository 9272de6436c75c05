"""Link texts and titles of MediaWiki dumps and web pages.

`anchors` recognises the format of a file. `dump` reads dumps and `html` web pages; `wikitext` finds
and cleans links.
"""
