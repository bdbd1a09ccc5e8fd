// Words that say the same in a statement of fact, a line for each: forms that the stemmer does not bring together, and
// words that one reader would accept for the other. Words that differ in degree or in what they promise ("nominated"
// and "appointed") are not here. Names of peoples stand with their countries.

const groups = `
be is are was were been being am
have has had having
do does did done doing
go goes went gone
born birth birthplace birthdate
die died dies death dead dying deceased
kill killed kills killing
live lives lived living reside resides resided residence resident residents inhabitant inhabitants
marry married marries marriage wed weds wedded wedding
child children kid kids
son sons
daughter daughters
write wrote written writes writing author authored writer authors writers penned
direct directed directs director directors
found founded founder founders founding cofounded establish established establishes establishment
create created creates creating creation creator creators
make made makes making
build built builds building construct constructed constructs construction erected
begin began begun begins beginning start started starts starting commence commenced
end ended ends ending finish finished conclude concluded
win won wins winning winner winners victory victorious champion champions
lose lost loses losing loss losses
beat beats beaten beating defeat defeated defeats
buy bought buys buying purchase purchased purchases acquire acquired acquires acquisition
sell sold sells selling sale sales
release released releases releasing issued issue
publish published publishes publication publisher publishing
locate located location situated lies
big bigger biggest large larger largest
small smaller smallest little tiny
famous famed renowned celebrated prominent
popular popularity
rich richest wealthy wealthiest
near nearby close
old older oldest aged age ages
star stars starred starring
play played plays playing
movie movies film films
song songs track tracks
record recorded recording records
sing sang sung singer vocalist
perform performed performs performance performances performer
act acted actor actress actors
appear appeared appears appearance
company companies firm firms corporation business businesses corporate
university universities college colleges
school schools
study studied studies studying student students
teach taught teaches teaching teacher teachers
graduate graduated graduates graduation degree
professor professors
doctor doctors physician physicians
lawyer lawyers attorney attorneys
judge judges justice justices
soldier soldiers troops
car cars automobile automobiles vehicle vehicles
plane planes aircraft airplane airplanes
ship ships vessel vessels boat boats
city cities town towns municipality
country countries nation nations
village villages
population populous populated
citizen citizens
elect elected election elections elects
appoint appointed appoints appointment
nominate nominated nominates nomination nominee
vote voted votes voting
lead leads led leader leaders leading leadership headed
rule ruled ruling
king kings
know knew known knows
think thought thinks
say said says saying stated states
tell told tells
give gave given gives giving
take took taken takes taking
get got gotten gets
become became becomes becoming
come came comes coming
see saw seen sees
show showed shown shows showing
find finds finding findings discover discovered discovers discovery discoveries
feel felt feels
hold held holds holding
keep kept keeps keeping
leave left leaves leaving depart departed departure
meet met meets meeting
bring brought brings
run ran runs running
speak spoke spoken speaks
send sent sends
spend spent spends
grow grew grown grows growing growth
draw drew drawn draws
drive drove driven drives
rise rose risen rises rising
fall fell fallen falls falling
fly flew flown flies flight flights
fight fought fights fighting
choose chose chosen chooses choice
eat ate eaten eats eating
drink drank drunk drinks
steal stole stolen
break broke broken breaks
speed speeds fast faster fastest quick quickly rapid rapidly
high higher highest height tall taller tallest
long longer longest length
deep deeper deepest depth
wide wider widest width
strong stronger strongest strength
heavy heavier heaviest weight weigh weighs
hot hotter hottest heat
bright brighter brightest luminous brightness
require required requires requirement requirements need needs needed necessary
cause caused causes causing
help helped helps helping assist assisted assists assistance
use used uses using usage utilize utilized
allow allowed allows permit permitted permits
change changed changes changing alter altered alteration alterations modify modified modification modifications
produce produced produces producing producer producers production product products
increase increased increases increasing
decrease decreased decreases decreasing reduce reduced reduces reduction
decide decided decides decision decisions
announce announced announces announcement
describe described describes description
include included includes including contain contained contains containing comprise comprises comprised consist consists
join joined joins joining
move moved moves moving relocate relocated
support supported supports supporting
oppose opposed opposes opposition
attack attacked attacks
invent invented invents invention inventor
develop developed develops developing developer developers development
design designed designs designer
discuss discussed discusses discussion
detect detected detects detection
collide collided collision
merge merged merges merging merger mergers
transmit transmitted transmission
inherit inherited inheritance inheritable
exist existed exists existence
relate related relates relation relationship
operate operated operates operation operations
serve served serves serving
work worked works working
employ employed employs employee employees employer
job jobs occupation
pay paid pays payment
cost costs costing price prices priced
money fund funds funding
reside based headquartered headquarters
origin origins originate originated originates originally
part parts portion
kind kinds type types sort sorts
area areas region regions
world worldwide global globally earth
nearly almost
approximately about around roughly circa
annual annually yearly
month months monthly
week weeks weekly
day days daily
previous previously former formerly
current currently presently nowadays
first firstly
woman women female females
man men male males
person people persons human humans
father fathers dad
mother mothers mom
brother brothers
sister sisters
parent parents
food foods cuisine
restaurant restaurants
illness disease diseases
drug drugs medication medications medicine medicines
patient patients
baby babies infant infants
dog dogs
tooth teeth
foot feet
mouse mice
photo photos photograph photographs picture pictures
painter painted paint painting paintings
music musical musician musicians
award awards awarded prize prizes
medal medals
team teams club clubs squad
match matches game games
season seasons
league leagues
coach coached coaches manager
player players
goal goals
war wars
battle battles
army armies
military
church churches
bridge bridges
river rivers
mountain mountains
island islands
sea seas ocean oceans
star stars stellar
planet planets planetary
gas gases gaseous
chemical chemicals chemistry
physics physical physicist
biology biological biologist
science scientific scientist scientists
history historic historical historian
politics political politician politicians
law laws legal legislation
economy economic economist economics
culture cultural
nature natural
globe global
america american americans
england english
britain british
france french
germany german germans
spain spanish
italy italian italians
china chinese
japan japanese
india indian indians
russia russian russians
canada canadian canadians
australia australian australians
mexico mexican mexicans
brazil brazilian brazilians
argentina argentine argentinian
kenya kenyan kenyans
nigeria nigerian nigerians
egypt egyptian egyptians
israel israeli israelis
ireland irish
scotland scottish
wales welsh
sweden swedish
norway norwegian
denmark danish
finland finnish
netherlands dutch
belgium belgian
switzerland swiss
austria austrian
poland polish
greece greek greeks
turkey turkish
portugal portuguese
iran iranian iranians
iraq iraqi
pakistan pakistani
korea korean koreans
vietnam vietnamese
africa african africans
europe european europeans
asia asian asians
ukraine ukrainian
hungary hungarian
romania romanian
cuba cuban
chile chilean
colombia colombian
peru peruvian
huge enormous tremendous vast immense gigantic
firearm firearms gun guns weapon weapons handgun handguns
license licence licensed licences licenses
restrict restricted restricts restriction restrictions limit limits limited limitation limitations
observe observed observes observation observations
important significant crucial essential vital
difficult difficulty hard challenging
purpose goal goals aim aims objective
method methods technique techniques approach
result results outcome consequence consequences
happen happens happened occur occurs occurred
called named known titled entitled
receive received receives receiving earned
accident crash
house houses home homes
road roads street streets highway
error errors mistake mistakes
choose chosen select selected selection
repair repaired repairs fix fixed
show demonstrate demonstrated demonstrates reveal reveals revealed indicate indicates indicated
answer answers reply replied respond responded response
try attempt attempts attempted
stop stopped stops cease ceased halt halted
television tv
telephone phone phones
religion religious faith
rank ranked ranks ranking rated
tournament tournaments competition competitions contest championship championships
build buildings structure structures
destroy destroyed destroys destruction demolish demolished
injure injured injury injuries wound wounded
arrest arrested arrests detained
accuse accused accuses accusation alleged
protest protests protested demonstration demonstrations
agree agreed agreement agreements deal treaty
enter entered enters entry
arrive arrived arrives arrival
return returned returns
replace replaced replaces replacement succeeded
resign resigned resignation
retire retired retirement
destroy ruined
collapse collapsed
explode exploded explosion blast
spread spreads spreading
infect infected infection infections infectious
vaccine vaccines vaccination vaccinated
treat treated treatment treatments therapy
prevent prevented prevents prevention
protect protected protects protection
connect connected connects connection
separate separated separates separation
measure measured measures measurement
contribute contributed contributes contribution
argue argued argues argument
believe believed believes belief
suggest suggested suggests suggestion
propose proposed proposes proposal
refuse refused refuses refusal
approve approved approves approval
reject rejected rejects rejection
investigate investigated investigation
perform performing
host hosted hosts hosting
rename renamed
expand expanded expands expansion
evolve evolved evolves evolution
emit emitted emits emission emissions
attract attracted attracts attraction
gravity gravitational
magnet magnetic magnetism
energy energetic
sun solar
moon lunar
heart cardiac
kidney renal
brain cerebral
poison poisonous toxic toxin toxins
danger dangerous hazardous
safety safe safely
sleep slept sleeping
teenager teenagers adolescent adolescents
elderly seniors
jewish jew jews judaism
christian christians christianity
muslim muslims islam islamic
`

/** The groups, each as its words. */
export const synonyms: readonly (readonly string[])[] = groups
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

/** Written for a name of several words. */
export const abbreviations: Readonly<Record<string, string>> = {
  US: 'United States',
  USA: 'United States',
  UK: 'United Kingdom',
  EU: 'European Union',
  UN: 'United Nations',
  NYC: 'New York City',
}
