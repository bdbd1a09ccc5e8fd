// Characters that HTML names, of which paths in Markdown may be made: letters with a mark, and signs of text.

/** A letter and its mark are one name: `Auml`, `ccaron`. */
const marks: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  macr: '\u0304',
  breve: '\u0306',
  dot: '\u0307',
  uml: '\u0308',
  ring: '\u030a',
  dblac: '\u030b',
  caron: '\u030c',
  cedil: '\u0327',
  ogon: '\u0328',
}

/** Each name before its character. */
const others = (
  'quot " amp & apos \' lt < gt > num # percnt % lpar ( rpar ) lsqb [ rsqb ] sol / colon : quest ? lowbar _ ' +
  'period . comma , excl ! ast * plus + nbsp \u00a0 szlig ß AElig Æ aelig æ OElig Œ oelig œ Oslash Ø oslash ø ' +
  'eth ð thorn þ laquo « raquo » middot · sect § copy © reg ® trade ™ deg ° pound £ euro € ndash – mdash — ' +
  'lsquo ‘ rsquo ’ ldquo “ rdquo ” hellip …'
).split(' ')

/** The character of `&name;`; undefined for a name that is not known. */
export function namedCharacter(name: string): string | undefined {
  const at = others.indexOf(name)
  if (at >= 0 && at % 2 === 0) return others[at + 1]
  const mark = /^[a-z]/i.test(name) && Object.hasOwn(marks, name.slice(1)) ? marks[name.slice(1)] : undefined
  const letter = mark && `${name[0]}${mark}`.normalize()
  return letter?.length === 1 ? letter : undefined
}
