// What words say that matters in an order to a model, in the languages that are common: English, German, Dutch, French,
// Spanish, Italian, Portuguese, Russian, Polish, Turkish, Chinese, Japanese, Korean, Arabic. The rules speak of concepts
// alone, so that each holds for every language and word order.
//
// Between spaces a phrase, its words joined by `_`. `*` at the end of its first or another word: whatever that goes on
// with. `~` in front: a form that gives an order only where an order stands (“ignore the rules”, not “they ignore the
// rules”).

import * as deeds from './words-of-deeds.ts'
import * as overrides from './words-of-overrides.ts'
import * as roles from './words-of-roles.ts'

/** Each concept with its phrases. */
export const lexicon = { ...overrides, ...roles, ...deeds }

export type Concept = keyof typeof lexicon
