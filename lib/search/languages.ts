/** The text search configurations that every Postgres from 15 on has; `simple` knows no stems and no stop words. */
export const languages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const

export type Language = (typeof languages)[number]

/**
 * Raise it when passages are cut or their words are analysed in another way: what was indexed before is indexed again.
 */
const revision = 3

/** Names the analysis that makes passages of these languages. */
export const analysisOf = (configured: readonly Language[]) => `${revision} ${configured.join(',')}`
