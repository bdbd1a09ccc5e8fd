/** Forms of one word that the stemmer does not bring together, a line for each. */
export const wordForms = `
have has had having
kill killed kills killing
son sons
daughter daughters
direct directed directs director directors
create created creates creating creation creator creators
make made makes making
lose lost loses losing loss losses
publish published publishes publication publisher publishing
popular popularity
star stars starred starring
play played plays playing
record recorded recording records
perform performed performs performance performances performer
act acted actor actress actors
appear appeared appears appearance
school schools
study studied studies studying student students
professor professors
judge judges justice justices
village villages
population populous populated
citizen citizens
elect elected election elections elects
appoint appointed appoints appointment
nominate nominated nominates nomination nominee
vote voted votes voting
rule ruled ruling
king kings
know knew known knows
think thought thinks
become became becomes becoming
show showed shown shows showing
feel felt feels
keep kept keeps keeping
meet met meets meeting
bring brought brings
speak spoke spoken speaks
send sent sends
spend spent spends
grow grew grown grows growing growth
draw drew drawn draws
drive drove driven drives
fly flew flown flies flight flights
choose chose chosen chooses choice
drink drank drunk drinks
steal stole stolen
break broke broken breaks
deep deeper deepest depth
wide wider widest width
strong stronger strongest strength
cause caused causes causing
produce produced produces producing producer producers production product products
increase increased increases increasing
decide decided decides decision decisions
announce announced announces announcement
describe described describes description
join joined joins joining
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
pay paid pays payment
origin origins originate originated originates originally
month months monthly
week weeks weekly
day days daily
first firstly
mother mothers mom
brother brothers
sister sisters
parent parents
restaurant restaurants
patient patients
dog dogs
painter painted paint painting paintings
music musical musician musicians
medal medals
season seasons
league leagues
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
star stars stellar
planet planets planetary
gas gases gaseous
chemical chemicals chemistry
physics physical physicist
biology biological biologist
science scientific scientist scientists
history historic historical historian
politics political politician politicians
economy economic economist economics
culture cultural
nature natural
globe global
license licence licensed licences licenses
observe observed observes observation observations
house houses home homes
rank ranked ranks ranking rated
destroy destroyed destroys destruction demolish demolished
enter entered enters entry
arrive arrived arrives arrival
return returned returns
resign resigned resignation
retire retired retirement
collapse collapsed
spread spreads spreading
infect infected infection infections infectious
vaccine vaccines vaccination vaccinated
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
host hosted hosts hosting
rename renamed
expand expanded expands expansion
evolve evolved evolves evolution
emit emitted emits emission emissions
attract attracted attracts attraction
gravity gravitational
magnet magnetic magnetism
energy energetic
safety safe safely
sleep slept sleeping
`
