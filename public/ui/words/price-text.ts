import type { ModelList } from '../../../lib/contract/model.ts'

type Price = ModelList['items'][number]['price']

/** What a million tokens cost, in words; empty where that is not known. */
export const priceText = (price: Price): string => (price ? `$${price.input} in, $${price.output} out` : '')
