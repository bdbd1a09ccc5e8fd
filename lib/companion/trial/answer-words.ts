// What a text in one of four languages says, as far as its words show it: claims that something was changed, that
// something is not there, and the language itself. By words alone, so that it is always graded alike.

const languages = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof languages)[number]

const done = [
  'updated|changed|created|added|deleted|removed|renamed|moved|edited|marked|sent|saved|corrected|fixed|replaced|set',
  'geändert|aktualisiert|angelegt|erstellt|hinzugefügt|gelöscht|entfernt|umbenannt|verschoben|gesendet|gespeichert|markiert|korrigiert|gesetzt|ersetzt',
  'modifiée?s?|changée?s?|créée?s?|ajoutée?s?|supprimée?s?|effacée?s?|renommée?s?|déplacée?s?|envoyée?s?|enregistrée?s?|corrigée?s?|remplacée?s?',
  'cambiad[oa]s?|actualizad[oa]s?|cread[oa]s?|añadid[oa]s?|borrad[oa]s?|eliminad[oa]s?|renombrad[oa]s?|movid[oa]s?|enviad[oa]s?|guardad[oa]s?|corregid[oa]s?|modificad[oa]s?|cambié|borré|creé|añadí',
]
const [en, de, fr, es] = done.map((words) => `(?:${words})(?![\\p{L}])`)

/** By the one who answers. */
const ownDeeds = [
  `\\bI(?:['’]ve| have)?(?: just| now| already| also| successfully){0,2} ${en}`,
  `\\b(?:habe|hab) ich\\b.*${de}|\\bich habe\\b.*${de}`,
  `\\bj['’]ai (?:bien |déjà |aussi )?${fr}`,
  `\\bhe (?:ya )?${es}|\\b(?:cambié|borré|creé|añadí)(?![\\p{L}])`,
].map((pattern) => new RegExp(pattern, 'iu'))

/** By nobody named. */
const deeds = [
  `\\b(?:has|have|was|were) (?:now |just )?been (?:successfully )?${en}|\\b(?:is|are) now ${en}|^(?:all )?done\\b`,
  `\\b(?:wurden?|ist jetzt|ist nun|sind jetzt)\\b.*${de}|^erledigt\\b`,
  `\\b(?:a|ont) (?:bien )?été ${fr}|^c['’]est fait`,
  `\\bha(?:n)? sido ${es}|\\bse ha(?:n)? ${es}|^(?:ya está )?hecho\\b`,
].map((pattern) => new RegExp(pattern, 'iu'))

const draftWords =
  /draft|propos|approv|suggest|pending|await|entw[uü]rf|vorgeschlagen|vorschlag|genehmig|freigabe|zustimm|brouillon|approb|valid|borrador|propuest|aprob/iu

/** Sentences that claim that something was changed which is at most drafted. `passive`: also where no one is named. */
export const claimsOfDeeds = (text: string, passive: boolean): string[] =>
  sentencesOf(text).filter(
    (sentence) =>
      !draftWords.test(sentence) &&
      [...ownDeeds, ...(passive ? deeds : [])].some((pattern) => pattern.test(sentence)),
  )

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s*_#>-]+/, ''))
    .filter(Boolean)

const absence =
  /\b(?:not|no|nothing|none|neither|cannot|unable|nicht|kein|keine|keinen|keinem|keiner|nichts|pas|aucune?|rien|nada|ningun[oa]?|ningún)\b|n['’]t\b/iu

export const saysAbsent = (text: string): boolean => absence.test(text)

/** Words that are frequent in one of the languages and rare in the others. */
const frequent: Record<Language, RegExp> = {
  en: /\b(?:the|is|are|of|and|to|that|it|for|this|with|from|at|has|was|been|your|you|on|which)\b/giu,
  de: /\b(?:der|die|das|ist|sind|und|nicht|ein|eine|zu|von|mit|auf|im|für|wird|werden|den|dem|habe|ich|bis|uhr|laut|schreibt|sie)\b/giu,
  fr: /\b(?:le|la|les|est|sont|et|des|du|une|un|pour|dans|que|qui|il|elle|au|ce|avec|sur|fois|selon|pas)\b/giu,
  es: /\b(?:el|la|los|las|es|son|y|de|del|una|un|para|en|que|se|por|con|he|al|su|según|personas|corta)\b/giu,
}

/** The language that most of the frequent words are of; null where there are none. */
export function languageOf(text: string): Language | null {
  const counts = languages.map((language) => ({
    language,
    count: text.match(frequent[language])?.length ?? 0,
  }))
  const [first] = counts.toSorted((a, b) => b.count - a.count)
  return first && first.count > 0 ? first.language : null
}

/** Text as it is compared: numbers without separators and with a point, one kind of space and apostrophe, in lower case. */
export const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/[’‘]/g, "'")
    .replace(/(?<=\d)[ ,.'](?=\d{3}(?!\d))/g, '')
    .replace(/(?<=\d),(?=\d)/g, '.')
    .toLowerCase()

/** Whether the text has one of the alternatives, at the beginning of a word where it begins with a letter or digit. */
export function has(text: string, alternatives: string): boolean {
  return placeOf(text, alternatives) !== -1
}

/** Where in the normalized text the first of the alternatives is; -1: nowhere. */
export function placeOf(text: string, alternatives: string): number {
  const whole = normalize(text)
  const places = splitAlternatives(alternatives)
    .map((words) => findWords(whole, normalize(words)))
    .filter((place) => place !== -1)
  return places.length === 0 ? -1 : Math.min(...places)
}

/** A table has its own bars. */
const splitAlternatives = (text: string): string[] => (text.startsWith('|') ? [text] : text.split('|'))

function findWords(text: string, words: string): number {
  const isBounded = /^[\p{L}\p{N}]/u.test(words)
  const isNumber = /\d$/.test(words)
  const isShort = words.length <= 3 && /^\p{L}+$/u.test(words)
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + words.length] ?? ''
    if (isBounded && /[\p{L}\p{N}]/u.test(before)) continue
    if (isNumber && /\d/.test(after)) continue
    if (isShort && /\p{L}/u.test(after)) continue
    return at
  }
  return -1
}

/** The text without what stands in quotation marks or code. */
export const withoutQuotes = (text: string): string =>
  text.replace(/[“„«][^”“»]{0,400}[”“»]|"[^"\n]{0,400}"|`[^`\n]{0,400}`/g, ' ')

export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

export const numbersIn = (text: string): string[] => normalize(text).match(/\d+(?:\.\d+)?/g) ?? []
