const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML, for content and quoted attributes. */
export const escapeAll = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** As `escapeAll`, but entities in the text stay entities. */
export const escapeText = (text: string) =>
  text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,32});)/gi, (character) => escapes[character]!)
