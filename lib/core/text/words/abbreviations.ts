/** Characters before a point that `endsInAbbreviation` looks at. */
const maxAbbreviation = 8

const abbreviation =
  /(?:^|[\s(])(?:\p{L}|(?:\p{L}\.){1,3}\p{L}|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|corp|vs|v|etc|eg|ie|ca|approx|gen|gov|sen|rep|rev|hon|capt|col|lt|sgt|fig|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|bzw|z|ing|dipl|nr|kl|tlf|ul|np|tj|sra|bijv|resp)\.$/iu
const halfOfDay = /[ap]\.m\.$/i
/** After which an hour goes on. */
const ofDay = /^ (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|on|sharp)/i
const numberSign = /(?:^|[\s(])no\.$/i

/** Whether the point at an index is that of an abbreviation, after which a sentence goes on: “Dr. Lee”, “e.g. tea”. */
export function endsInAbbreviation(text: string, at: number): boolean {
  const end = text.slice(Math.max(0, at - maxAbbreviation), at + 1)
  if (numberSign.test(end)) return /^ ?\d/.test(text.slice(at + 1, at + 3))
  if (halfOfDay.test(end)) return ofDay.test(text.slice(at + 1, at + 12))
  return abbreviation.test(end)
}
