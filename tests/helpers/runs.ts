/**
 * Cases of a property test: a tenth of `many` in `npm test`, all of them in `npm run test:slow` and `npm run test:all`
 * unless PROPERTY_RUNS says `few`.
 * For properties whose cases cost little each; the seed is fixed, so the tenth is always the same one.
 */
export const runs = (many: number): number =>
  process.env.PROPERTY_RUNS === 'many' ? many : Math.ceil(many / 10)
