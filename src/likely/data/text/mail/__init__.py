"""Messages and mailboxes as texts: headers, parts, character sets, markup."""
