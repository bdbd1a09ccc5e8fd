/** Text search configurations of every Postgres since 15; `simple` has no stems and no stop words. */
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

/** Increase it when passages are cut or analysed differently: everything is then indexed again. */
const revision = 6

/** Identifies the analysis that produces passages for these languages. */
export const analysisOf = (configured: readonly Language[]) => `${revision} ${configured.join(',')}`
