// Words that say the same in a statement of fact, a line for each: words that one reader would accept for the other. Words that differ in degree or in what they promise ("nominated"
// and "appointed") are not here.

import { peoples } from './peoples.ts'
import { wordForms } from './word-forms.ts'

const groups = `
be is are was were been being am
do does did done doing
go goes went gone
born birth birthplace birthdate
die died dies death dead dying deceased
live lives lived living reside resides resided residence resident residents inhabitant inhabitants
marry married marries marriage wed weds wedded wedding
child children kid kids
write wrote written writes writing author authored writer authors writers penned
found founded founder founders founding cofounded establish established establishes establishment
build built builds building construct constructed constructs construction erected
begin began begun begins beginning start started starts starting commence commenced
end ended ends ending finish finished conclude concluded
win won wins winning winner winners victory victorious champion champions
beat beats beaten beating defeat defeated defeats
buy bought buys buying purchase purchased purchases acquire acquired acquires acquisition
sell sold sells selling sale sales
release released releases releasing issued issue
locate located location situated lies
big bigger biggest large larger largest
small smaller smallest little tiny
famous famed renowned celebrated prominent
rich richest wealthy wealthiest
near nearby close
old older oldest aged age ages
movie movies film films
song songs track tracks
sing sang sung singer vocalist
company companies firm firms corporation business businesses corporate
university universities college colleges
teach taught teaches teaching teacher teachers
graduate graduated graduates graduation degree
doctor doctors physician physicians
lawyer lawyers attorney attorneys
soldier soldiers troops
car cars automobile automobiles vehicle vehicles
plane planes aircraft airplane airplanes
ship ships vessel vessels boat boats
city cities town towns municipality
country countries nation nations
lead leads led leader leaders leading leadership headed
say said says saying stated states
tell told tells
give gave given gives giving
take took taken takes taking
get got gotten gets
come came comes coming
see saw seen sees
find finds finding findings discover discovered discovers discovery discoveries
hold held holds holding
leave left leaves leaving depart departed departure
run ran runs running
rise rose risen rises rising
fall fell fallen falls falling
fight fought fights fighting
eat ate eaten eats eating
speed speeds fast faster fastest quick quickly rapid rapidly
high higher highest height tall taller tallest
long longer longest length
heavy heavier heaviest weight weigh weighs
hot hotter hottest heat
bright brighter brightest luminous brightness
require required requires requirement requirements need needs needed necessary
help helped helps helping assist assisted assists assistance
use used uses using usage utilize utilized
allow allowed allows permit permitted permits
change changed changes changing alter altered alteration alterations modify modified modification modifications
decrease decreased decreases decreasing reduce reduced reduces reduction
include included includes including contain contained contains containing comprise comprises comprised consist consists
move moved moves moving relocate relocated
job jobs occupation
cost costs costing price prices priced
money fund funds funding
reside based headquartered headquarters
part parts portion
kind kinds type types sort sorts
area areas region regions
world worldwide global globally earth
nearly almost
approximately about around roughly circa
annual annually yearly
previous previously former formerly
current currently presently nowadays
woman women female females
man men male males
person people persons human humans
father fathers dad
food foods cuisine
illness disease diseases
drug drugs medication medications medicine medicines
baby babies infant infants
tooth teeth
foot feet
mouse mice
photo photos photograph photographs picture pictures
award awards awarded prize prizes
team teams club clubs squad
match matches game games
coach coached coaches manager
sea seas ocean oceans
law laws legal legislation
huge enormous tremendous vast immense gigantic
firearm firearms gun guns weapon weapons handgun handguns
restrict restricted restricts restriction restrictions limit limits limited limitation limitations
important significant crucial essential vital
difficult difficulty hard challenging
purpose goal goals aim aims objective
method methods technique techniques approach
result results outcome consequence consequences
happen happens happened occur occurs occurred
called named known titled entitled
receive received receives receiving earned
accident crash
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
tournament tournaments competition competitions contest championship championships
build buildings structure structures
injure injured injury injuries wound wounded
arrest arrested arrests detained
accuse accused accuses accusation alleged
protest protests protested demonstration demonstrations
agree agreed agreement agreements deal treaty
replace replaced replaces replacement succeeded
explode exploded explosion blast
treat treated treatment treatments therapy
sun solar
moon lunar
heart cardiac
kidney renal
brain cerebral
poison poisonous toxic toxin toxins
danger dangerous hazardous
teenager teenagers adolescent adolescents
elderly seniors
`

/** The groups, each as its words. */
export const synonyms: readonly (readonly string[])[] =
  `${groups.trim()}\n${wordForms.trim()}\n${peoples.trim()}`.split('\n').map((line) => line.split(' '))
