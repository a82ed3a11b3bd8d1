"""Mail as rows: what is meant is found, against the standard library's own reading; whatever is wrong is survived."""

import email
import email.policy
import html
import mailbox
from binascii import b2a_uu
from dataclasses import astuple
from datetime import datetime
from email.message import EmailMessage
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import growth
from likely.data.text.mail.charsets import cleaned, decoded, text_of_file
from likely.data.text.mail.headers import decoded_header
from likely.data.text.mail.mail import MailRow, read_message
from likely.data.text.mail.mailboxes import messages_of
from likely.data.text.mail.markup import shown_text

PLAIN = b"""Return-Path: <joe@example.org>\r
From: Joe Bloggs <Joe.Bloggs@Example.ORG>\r
To: Ann <ann@example.org>, "Bob, the builder" <bob@example.com>\r
Cc: carol@example.net\r
Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= from\r
 =?ISO-8859-1?B?S/ZsbiE=?=\r
Date: Mon, 1 Feb 2021 01:30:00 +0200\r
Content-Type: text/plain; charset=iso-8859-15\r
Content-Transfer-Encoding: quoted-printable\r
\r
It costs 10 =A4.\r
See http://example.org/a and www.example.com, or https://example.org.\r
"""


def composed(plain="the plain text", page="<p>the <b>pa</b>ge</p>", attached=b"%PDF", **more):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "joe@example.org", "ann@example.org", "Lunch"
    if plain is not None:
        message.set_content(plain, **more)
    if page is not None:
        (message.set_content if plain is None else message.add_alternative)(page, subtype="html")
    if attached is not None:
        message.add_attachment(attached, "application", "pdf", filename="bill.pdf")
    return message


def test_every_column_of_a_plain_message():
    row = read_message(PLAIN)
    body = "It costs 10 €.\nSee http://example.org/a and www.example.com, or https://example.org."
    utc = datetime(2021, 1, 31, 23, 30)
    expected = MailRow(
        "Grüße from Köln!", body, "joe.bloggs@example.org", "example.org", 3, utc, 1, len(PLAIN), 0, 3, False, 0
    )
    assert row == expected


@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
def test_the_standard_library_reads_the_same(newline):
    data = PLAIN.replace(b"\r\n", newline)
    message = email.message_from_bytes(data, policy=email.policy.default)
    row = read_message(data)
    assert row.subject == message["subject"]
    assert row.body == message.get_body().get_content().replace("\r\n", "\n").strip()
    assert row.sender == message["from"].addresses[0].addr_spec.lower()
    assert row.recipients == len(message["to"].addresses) + len(message["cc"].addresses)
    assert row.hour == message["date"].datetime.hour


def test_missing_headers_are_missing_cells():
    row = read_message(b"X-Nothing: here\n\nhello")
    assert (row.subject, row.sender, row.sender_domain, row.date, row.hour) == (None,) * 5
    assert (row.body, row.recipients, row.defects) == ("hello", 0, 0)
    assert read_message(b"").body == "" and read_message(b"").size == 0


def test_of_alternatives_the_plain_text_is_the_body():
    row = read_message(composed().as_bytes())
    assert (row.body, row.html, row.attachments) == ("the plain text", True, 1)


def test_html_is_the_body_where_plain_text_is_blank_or_absent():
    for plain in (" \n", None):
        row = read_message(composed(plain).as_bytes())
        assert (row.body, row.html) == ("the page", True)


def test_a_page_beside_a_plain_footer_is_not_lost():
    message = EmailMessage()
    message.set_content("<p>the page <a href='http://x.org'>there</a></p>", subtype="html")
    message.make_mixed()
    footer = EmailMessage()
    footer.set_content("the footer of the list")
    message.attach(footer)
    row = read_message(message.as_bytes())
    assert row.body == "the page there\nthe footer of the list" and row.links == 1


def test_messages_within_messages():
    outer = composed("see below", None, None)
    outer.add_attachment(composed("the inner text", None, None))  # message/rfc822, marked as an attachment
    row = read_message(outer.as_bytes())
    assert (row.body, row.attachments) == ("see below", 1)
    inline = outer.as_bytes().replace(b"Content-Disposition: attachment", b"Content-Disposition: inline")
    assert read_message(inline).body == "see below\nLunch\nthe inner text" and read_message(inline).attachments == 0


@pytest.mark.parametrize(
    ("marks", "body", "attachments"),
    [
        (b"Content-Disposition: attachment", "cover", 1),
        (b"Content-Disposition: attachment; filename=a.txt", "cover", 1),
        (b"Content-Disposition: inline; filename=a.txt", "cover\nthe part", 0),
        (b"Content-Type: text/plain; name=a.txt", "cover", 1),
        (b"Content-Type: text/x-patch", "cover\nthe part", 0),
        (b"Content-Type: image/png\nContent-Disposition: inline", "cover", 1),
        (b"Content-Disposition: \xff\xfe", "cover\nthe part", 0),
        (b"X-Nothing: here", "cover\nthe part", 0),
    ],
)
def test_which_parts_are_attachments(marks, body, attachments):
    data = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\ncover\n--b\n" + marks + b"\n\nthe part\n--b--\n"
    row = read_message(data)
    assert (row.body, row.attachments) == (body, attachments)


@pytest.mark.parametrize(
    ("header", "data", "body", "defects"),
    [
        (b"text/plain; charset=utf-8", "zwölf".encode(), "zwölf", 0),
        (b"text/plain", "zwölf".encode(), "zwölf", 0),
        (b"text/plain; charset=us-ascii", "zwölf".encode(), "zwölf", 0),
        (b"text/plain; charset=utf-8", b"zw\xf6lf", "zwölf", 1),
        (b"text/plain; charset=iso-8859-1", b"\x93zw\xf6lf\x94", "“zwölf”", 0),
        (b"text/plain; charset=x-unknown", "zwölf".encode(), "zwölf", 1),
        (b"text/plain; charset=x-unknown", b"zw\xf6lf", "zwölf", 1),
        (b"text/plain; charset=idna", b"abc", "abc", 1),
        (b"text/plain; charset=base64", b"abc", "abc", 1),
        (b"text/plain; charset=shift_jis", "日本語".encode("shift_jis") + b"\x81!", "日本語\ufffd!", 1),
        (b"text/plain; charset=gb2312", "朱镕基".encode("gbk"), "朱镕基", 0),  # the middle sign is not in GB 2312
        (b"text/plain; charset=utf-7", b"a +AN8- b", "a ß b", 0),
        (b"text/html", b"<meta charset=windows-1251><p>\xcc\xe8\xf0", "Мир", 0),
        (b"text/plain; charset=\xff\xfe", b"abc", "abc", 0),
        (b"multipart/mixed", b"no boundary", "no boundary", 2),
        (b"nonsense", b"abc", "abc", 0),
        (b"text/plain\x00; charset=\x00", b"a\x00b", "a\ufffdb", None),
    ],
)
def test_charsets_and_their_faults(header, data, body, defects):
    row = read_message(b"Content-Type: " + header + b"\n\n" + data)
    assert row.body == body
    assert defects is None or row.defects == defects


@pytest.mark.parametrize(
    ("encoding", "data", "body", "faulty"),
    [
        (b"base64", b"aGVsbG8=", "hello", False),
        (b"base64", b"aGVsbG8", "hello", True),
        (b"base64", b"aGV*sbG8=", "hello", True),
        (b"base64", b"aGVsb", "aGVsb", True),
        (b"quoted-printable", b"caf=E9 =ZZ =", "café =ZZ =", True),
        (b"x-uuencode", b"begin 644 a\n" + b2a_uu(b"hello") + b" \nend\n", "hello", False),
        (b"x-uuencode", b"begin 6\nrubbish", "begin 6\nrubbish", False),
        (b"8bit", b"hello", "hello", False),
        (b"rot13", b"hello", "hello", False),
    ],
)
def test_transfer_encodings_and_their_faults(encoding, data, body, faulty):
    row = read_message(b"Content-Transfer-Encoding: " + encoding + b"\n\n" + data)
    assert row.body.rstrip("=").strip() == body.rstrip("=").strip() and (row.defects > 0) == faulty


@pytest.mark.parametrize(
    ("written", "meant", "sound"),
    [
        ("plain", "plain", True),
        ("=?utf-8?q?a=20b?=", "a b", True),
        ("=?utf-8?q?a?=\n =?utf-8?q?b?= c", "ab c", True),
        ("=?utf-8?b?w7w?=", "ü", True),  # the padding is missing
        ("=?utf-8?b?w7wA?= x", "ü\ufffd x", True),
        ("=?utf-8?b?a?=", "", True),
        ("=?no-such?q?caf=E9?=", "café", False),
        ("=?utf-8?q?caf=E9?=", "café", False),
        ("=?utf-8?x?caf?= =?utf-8?q?open", "=?utf-8?x?caf?= =?utf-8?q?open", True),
        ("=?utf-8*de?q?gr=C3=BCn?=", "grün", True),
        ("caf\udcc3\udca9", "café", True),  # bytes as the parser hands them over
        ("caf\udce9", "café", True),
    ],
)
def test_encoded_words(written, meant, sound):
    assert decoded_header(written) == (meant, sound)


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80),
    st.sampled_from(["utf-8", "utf-16", "gb18030"]),
)
@example("0" * 24, "utf-16")  # two words, each with a byte order mark
def test_subjects_come_back_from_what_the_standard_library_writes(subject, charset):
    written = email.header.Header(subject, charset).encode()
    assert decoded_header(written)[0] == " ".join(cleaned(subject).split())


@given(st.text(), st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-8-sig"]))
def test_text_files_come_back(text, charset):
    data = text.encode(charset, "replace")
    plain = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    strange = {"utf-8": "\ufeff", "utf-16": "\0"}.get(charset)  # what begins with it looks like another charset
    if strange is None or not text.startswith(strange):
        assert text_of_file(data)[0] == plain


@given(
    st.binary(),
    st.sampled_from([None, "utf-8", "latin-1", "cp1252", "shift_jis", "punycode", "hex", "\0", "é", "utf-7"]),
)
def test_any_bytes_are_text(data, charset):
    text, sound = decoded(data, charset)
    text.encode("utf-8")
    assert isinstance(sound, bool) and "\0" not in text
    if charset in ("latin-1", "cp1252"):
        assert len(text) == len(data)  # every byte is a character


def well_formed(row, data):
    for cell in astuple(row):
        if isinstance(cell, str):
            cell.encode("utf-8")
    assert isinstance(row.body, str) and row.size == len(data)
    assert min(row.recipients, row.attachments, row.links, row.defects) >= 0
    assert row.hour is None or 0 <= row.hour <= 23


@given(st.binary(max_size=400))
@example(b"From: \xff\n\n")
@example(b"Date: Mon, 99 Foo 99999 99:99:99 +9999\n\n")
@example(b"Date: 1 Jan 0001 00:00:00 +2359\n\n")
@example(b"Content-Type: text/plain; charset*=a'b'c%\n\nx")
@example(b"Content-Type: text/plain; charset*=a'b'%ff\n\nx\xff")
@example(b"Content-Disposition: attachment; filename*0*=x\x00''a\n\nx")
def test_any_bytes_are_a_message(data):
    well_formed(read_message(data), data)


SEEDS = [PLAIN, composed().as_bytes(), composed("ünï", "<p>ü", charset="iso-8859-1", cte="base64").as_bytes()]
TOKENS = [
    b"\0",
    b"\r",
    b"\n",
    b"\n\n",
    b"=",
    b"?=",
    b"=?",
    b"--",
    b"\xff",
    b"\xed\xa0\x80",
    b";",
    b'"',
    b"boundary=",
    b"<",
    b">",
]


@given(
    st.sampled_from(SEEDS),
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(TOKENS) | st.binary(max_size=5), st.integers(0, 30)), max_size=8
    ),
)
def test_damaged_messages_are_rows(seed, wounds):
    data = seed
    for where, what, lost in wounds:
        at = int(where * len(data))
        data = data[:at] + what + data[at + lost :]
    well_formed(read_message(data), data)


def many_parts(n):
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n // 100))
    return nested + b"\nx" * (n // 33)


@pytest.mark.parametrize(
    "message",
    [
        lambda n: b"Subject: a\n\n" + b"x " * 3 * n,
        lambda n: b"Subject: " + b"=?a?q? " * (n // 3),
        lambda n: b"Content-Type: multipart/mixed" + b";" * n + b"\n\nx",
        lambda n: (
            b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Disposition: inline" + b";" * n + b"\n\nx"
        ),
        many_parts,
        lambda n: b"Content-Type: message/rfc822\n\n" * (n // 100) + b"\nx" * (n // 33),
        lambda n: b"From: " + b"<@" * n + b"\n\nx",
        lambda n: b"To: " + b"(" * n + b"\n\nx",
        lambda n: b"Date: " + b"1:" * n + b"\n\nx",
        lambda n: b"Content-Type: text/html\n\n" + b"<meta " * n,
    ],
    ids=range(10),
)
def test_no_message_takes_long_or_loses_its_body(message):
    small, large = message(25_000), message(200_000)
    row = read_message(large)
    assert row.body or b"?q?" in large
    assert growth(read_message, small, large) < 24  # 8 if linear, 64 if squared


def as_mbox(path, messages):
    box = mailbox.mbox(path)
    for message in messages:
        box.add(message)
    box.close()
    return path.read_bytes()


@given(bodies=st.lists(st.text(st.sampled_from("aF>\n rom"), max_size=30), min_size=1, max_size=5))
@example(bodies=["From here\nto there", ">From quoted\n\n", ""])
def test_mailboxes_that_the_standard_library_wrote(bodies, tmp_path_factory):
    path = tmp_path_factory.mktemp("box") / "a.mbox"
    data = as_mbox(path, [f"Subject: {i}\n\n{body}" for i, body in enumerate(bodies)])
    for given_data in (data, data.replace(b"\n", b"\r\n")):
        rows = [read_message(message) for message in messages_of(given_data)]
        assert [row.subject for row in rows] == [str(i) for i in range(len(bodies))]
        # The standard library puts one sign before "From ", also where one was: so a quoted one loses its own.
        assert [row.body for row in rows] == [unquoted(body).strip() for body in bodies]


def unquoted(body):
    lines = body.split("\n")
    return "\n".join(
        line[1:] if line.lstrip(">").startswith("From ") and line.startswith(">") else line for line in lines
    )


@given(
    st.lists(st.sampled_from([b"From a\n", b"From ", b"\n", b"x\n", b">From b\n", b"\r\n", b" From c\n"]), max_size=12)
)
def test_as_many_messages_as_separators(tmp_path_factory, pieces):
    data = b"".join(pieces)
    path = tmp_path_factory.mktemp("box") / "a.mbox"
    path.write_bytes(data)
    first = len(data) if (at := (b"\n" + data).find(b"\nFrom ")) < 0 else at
    box = mailbox.mbox(path)
    separators = len(box)
    box.close()
    assert len(list(messages_of(data))) == separators + bool(data[:first].strip())


class Reference(HTMLParser):
    """The words of well-formed HTML by the standard library's parser."""

    def __init__(self):
        super().__init__()
        self.words, self.quiet = "", 0

    def handle_starttag(self, tag, attributes):
        self.quiet += tag in ("script", "style")
        self.words += "" if tag in ("b", "a", "span") else "\n"
        if tag == "img":
            self.words += dict(attributes).get("alt") or ""
            self.words += "\n"

    def handle_endtag(self, tag):
        self.quiet -= tag in ("script", "style")
        self.words += "" if tag in ("b", "a", "span") else "\n"

    def handle_data(self, data):
        self.words += "" if self.quiet else data


INLINE = st.text(st.sampled_from("ab <>&\"'\n é;"), max_size=8).map(html.escape)
ELEMENTS = st.recursive(
    INLINE,
    lambda inside: st.one_of(
        st.tuples(st.sampled_from(["p", "b", "a", "div", "TD", "span"]), st.lists(inside, max_size=3)).map(
            lambda pair: f"<{pair[0]} title='x > y' class=\"a'b\">{''.join(pair[1])}</{pair[0]}>"
        ),
        INLINE.map(lambda text: f'<img src=a.png alt="{text}">'),
        st.sampled_from(["<br>", "<br/>", "<!-- a > b -->", "<!DOCTYPE html>", "&nbsp;", "&#233;", "&eacute;"]),
        st.sampled_from(["<script>if (a < b) x('</p>')</script>", "<STYLE>p > b {}</STYLE>", "<p title=a>"]),
    ),
    max_leaves=12,
)


@given(ELEMENTS)
def test_well_formed_pages_as_the_standard_library_reads_them(page):
    parser = Reference()
    parser.feed(page)
    parser.close()
    assert shown_text(page).text.split() == parser.words.split()


@given(st.text(st.sampled_from("<>/!-ab &#x0;'\"=\n?script"), max_size=60) | st.text())
def test_any_page_is_text(page):
    shown = shown_text(page)
    assert shown.links >= 0
    if "<" not in page and "&" not in page:
        assert shown.text.split() == page.split()


@pytest.mark.parametrize(
    "sign", ["<", "</", "<a ", "<!", "<!--", "<a b='", '<a x=">"', "<script>", "</script", "&#9", "<p>"]
)
def test_pages_take_linear_time(sign):
    pages = ("<p>" + sign * (letters // len(sign)) + ">" for letters in (50_000, 400_000))
    assert growth(shown_text, *pages) < 24  # 8 if linear, 64 if squared


def nested_parts(depth, lines, line=b"x" * 70 + b"\n"):
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
    return b"From: a@example.org\n" + parts + b"Content-Type: text/plain\n\n" + line * lines


@pytest.mark.parametrize(("depth", "lines", "line"), [(190, 14_000, b"x" * 70 + b"\n"), (20, 300_000, b"--\n")])
def test_parts_whose_lines_would_be_compared_millions_of_times_are_plain_text(depth, lines, line, monkeypatch):
    import email.feedparser

    compared = []
    monkeypatch.setattr(email.feedparser.BufferedSubFile, "push_eof_matcher", lambda self, pred: compared.append(pred))
    row = read_message(nested_parts(depth, lines, line))
    assert row.defects == 1 and row.sender == "a@example.org" and len(row.body) > len(line) * lines and not compared


def test_parts_within_parts_are_taken_apart_where_that_is_quick():
    assert read_message(nested_parts(20, 14_000)).body == "\n".join(["x" * 70] * 14_000)
    assert read_message(nested_parts(190, 100)).body == "\n".join(["x" * 70] * 100)


def test_nested_by_the_hundred_thousand():
    assert shown_text("<div>" * 100_000 + "deep" + "</div>" * 100_000).text == "deep"


def test_unclosed_markup_swallows_nothing():
    assert shown_text("a <!-- b <p>c").text == "a <!-- b\nc"
    assert shown_text("a <script> b <p>c").text == "a\nb\nc"
    assert shown_text("a <b title='x> c").text == "a c"
    assert shown_text("&#" + "9" * 5000 + "; x").text == "\ufffd x"
