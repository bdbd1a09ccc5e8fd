// Months, units and what multiplies a number, as they are written in a text.

const months = `
january jan januar janvier enero
february feb februar février febrero
march mar märz mars marzo
april apr avril abril
may mai mayo
june jun juni juin junio
july jul juli juillet julio
august aug août agosto
september sep sept septembre septiembre
october oct oktober octobre octubre
november nov novembre noviembre
december dec dezember décembre diciembre
`

const units = `
% percent pct prozent
$ usd dollar dollars
€ eur euro euros
£ gbp
¥ yen jpy
₹ inr rupee rupees
km kilometer kilometers kilometre kilometres
m meter meters metre metres
cm centimeter centimeters centimetre centimetres
mm millimeter millimeters millimetre millimetres
mi mile miles
ft foot feet
inch inches
kg kilogram kilograms
g gram grams
mg milligram milligrams
t ton tons tonne tonnes
lb lbs pound pounds
l liter liters litre litres
ml milliliter milliliters
hour hours h hr hrs stunde stunden
minute minutes min mins minuten
ms millisecond milliseconds
day days tag tage
week weeks woche wochen
month months monat monate
year years jahr jahre
decade decades
century centuries
hectare hectares ha
acre acres
watt watts w
kw kilowatt kilowatts
mw megawatt megawatts
gw gigawatt gigawatts
volt volts v
hz hertz
ghz gigahertz
mhz megahertz
kb kilobyte kilobytes
mb megabyte megabytes
gb gigabyte gigabytes
tb terabyte terabytes
celsius
fahrenheit
kelvin
degree degrees
mph
kph
`

const indexed = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const words = line.split(' ')
        return words.map((word) => [word, words[0]!] as const)
      }),
  )

const monthLines = months.trim().split('\n')

/** From 1. */
export const monthNumbers: ReadonlyMap<string, number> = new Map(
  monthLines.flatMap((line, index) => line.split(' ').map((word) => [word, index + 1] as const)),
)

/** Each way to write a unit, and the unit. */
export const unitNames: ReadonlyMap<string, string> = indexed(units)

export const multipliers: ReadonlyMap<string, number> = new Map([
  ...['hundred', 'hundert', 'cent', 'cien'].map((word) => [word, 100] as const),
  ...['thousand', 'tausend', 'mille', 'mil', 'k'].map((word) => [word, 1000] as const),
  ...['million', 'millions', 'millionen', 'millones', 'mn'].map((word) => [word, 1e6] as const),
  ...['billion', 'billions', 'bn', 'b', 'milliarde', 'milliarden', 'milliard', 'milliards'].map(
    (word) => [word, 1e9] as const,
  ),
  ...['trillion', 'trillions', 'tn'].map((word) => [word, 1e12] as const),
])

export const numberWords: ReadonlyMap<string, number> = new Map([
  ...listed(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
      'seventeen eighteen nineteen twenty',
  ),
  ...listed('null _ zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'),
  ...listed('_ _ deux trois quatre cinq six sept huit neuf dix onze douze'),
  ...listed('_ _ dos tres cuatro cinco seis siete ocho nueve diez'),
  ...listed('thirty forty fifty sixty seventy eighty ninety').map(
    ([word, at]) => [word, 30 + 10 * at] as const,
  ),
])

export const ordinalWords: ReadonlyMap<string, number> = new Map(
  listed('_ first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'),
)

function listed(words: string): [string, number][] {
  return words.split(' ').flatMap((word, at) => (word === '_' ? [] : [[word, at] as [string, number]]))
}
