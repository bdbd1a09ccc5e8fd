// Characters that HTML names, of which links in Markdown may be made: those of HTML 4 that are letters or signs of text.

/** From U+00A0, in their order. */
const latin = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 ' +
  'sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc ' +
  'Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute ' +
  'acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')

/** From U+0391, in their order; no letter is at `-`. */
const greek = (
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau ' +
  'Upsilon Phi Chi Psi Omega'
).split(' ')

/** Each name before its character. */
const others = (
  'quot " amp & apos \' lt < gt > num # percnt % lpar ( rpar ) lsqb [ rsqb ] sol / colon : quest ? ' +
  'lowbar _ period . comma , excl ! ast * plus + OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ circ ˆ tilde ' +
  '˜ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … ' +
  'permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ minus − ' +
  'radic √ infin ∞ asymp ≈ ne ≠ le ≤ ge ≥ hearts ♥'
).split(' ')

const characters = new Map<string, string>([
  ...latin.map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...greek.flatMap((name, index): [string, string][] => [
    [name, String.fromCharCode(0x391 + index)],
    [name.toLowerCase(), String.fromCharCode(0x3b1 + index)],
  ]),
  ...others.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, others[index + 1]!]] : [],
  ),
])

/** The character of `&name;`; undefined for a name that is not known. */
export const namedCharacter = (name: string): string | undefined => characters.get(name)
