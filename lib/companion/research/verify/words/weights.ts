// Words that weigh little in a statement, and words that weigh so much that a statement fails without them.

/** Words that say how something is put more than what: half of the sentences on a subject have them. */
const light = `able according additionally amount also although amount another apart area aspect associated available based basically basis
become became began begin belong belongs best better both bring brought call called capable case cases certain clear clearly
common commonly consider considered contain contains continue continued current currently describe described despite due
during eventually finally furthermore early effect especially etc even example exist exists fact factor famous feature features field find finding first
following form forms found general generally given good great group help helps initially instead high highly however itself human image important
include included includes including individual instance involve involved involves item itself kind known large largely later
lead leading less level likely meanwhile moreover line long main mainly major mean means member method mostly name named nature near need needs
new next notable number numerous occur offer offers occurs often old open order particular particularly people perform person place
play plays point popular position possible potentially present previous previously primarily process provide provided provides
put range rather recent recently refer refers regarded related relatively result results role said say says second see seen
serve served serves set several significant similar similarly since small special specific specifically start state still
subject subsequently such take taken term thing though thought three time times title today together total toward two type types overall typical
typically upon usually variety various view well widely work worked works world would year years`

/** Titles before a name, that may be left out. */
const titles = `president vice justice judge senator sir lord lady king queen prince princess dr doctor mr mrs ms prof professor
governor mayor minister chief saint st captain colonel general pope bishop dame coach company inc ltd corp co llc gmbh`

/** Words that limit or extend what is said; in the languages of the stop words where they are plain. */
const decisive = `only all every always never none most least sole solely exclusively entirely unanimously majority minority half
double twice both nur alle immer nie seul tous toujours solo todos siempre`

export const lightWords: ReadonlySet<string> = new Set(light.split(/\s+/))
export const nameTitles: ReadonlySet<string> = new Set(titles.split(/\s+/))
export const decisiveWords: ReadonlySet<string> = new Set(decisive.split(/\s+/))

/** Words of a passage that doubts what it repeats. */
export const doubtingWords: ReadonlySet<string> = new Set(
  'false myth misconception hoax debunked untrue nonsense misinformation disinformation fabricated bogus'.split(
    ' ',
  ),
)

export const helpingVerbs: ReadonlySet<string> = new Set(
  'is are was were be been being has have had will would can could may might must shall should does do did'.split(
    ' ',
  ),
)

/** Whether a word compares with all others of its kind. */
export const isSuperlative = (word: string): boolean =>
  /^(?:best|worst|most|least|first|last|farthest|furthest)$/.test(word) ||
  (/^\p{L}{3,}est$/u.test(word) && !notSuperlatives.has(word))

const notSuperlatives: ReadonlySet<string> = new Set(
  (
    'forest interest request protest harvest invest suggest guest honest modest contest conquest arrest manifest digest ' +
    'west northwest southwest midwest rest test quest nest pest vest chest crest zest arrest attest detest infest ' +
    'priest tempest earnest dearest budapest bucharest everest'
  ).split(' '),
)
