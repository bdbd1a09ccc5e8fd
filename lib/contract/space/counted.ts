/** What may be millions is counted up to this; one more stands for more. */
export const maxCounted = 10_000

/** Such as "1,200", or "10,000+" for what was not counted to its end. */
export const countText = (count: number): string =>
  count > maxCounted ? `${maxCounted.toLocaleString('en')}+` : count.toLocaleString('en')

/** What a Space holds, by kind, such as "12 × page, 3 × task". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  return held.length > 0
    ? held.map(([type, count]) => `${countText(count)} × ${type}`).join(', ')
    : 'nothing yet'
}
