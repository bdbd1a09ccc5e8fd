// What two people talk about, a few messages at a time. `{0}` and `{1}` are their names, other braces a value that is
// drawn for each conversation. A question names the message that answers it, by its place: mostly one that says nothing
// of what it is about, because the message before it did.

export type Episode = {
  values: Record<string, readonly string[]>
  /** By whom (0 or 1), and what. */
  lines: readonly (readonly [speaker: 0 | 1, text: string])[]
  questions: readonly (readonly [text: string, answer: number])[]
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const numbers = ['two', 'three', 'four', 'five', 'six', 'seven', 'nine', 'eleven', 'fourteen', 'twenty']
const cities = ['Lisbon', 'Bergen', 'Ghent', 'Turin', 'Galway', 'Riga', 'Porto', 'Graz', 'Malmö', 'Seville']

export const episodes: readonly Episode[] = [
  {
    values: {
      thing: [
        'boiler',
        'bicycle',
        'dishwasher',
        'sewing machine',
        'lawn mower',
        'accordion',
        'printer',
        'tent',
      ],
      fault: [
        'a worn seal',
        'a loose cable',
        'a cracked hose',
        'the little spring',
        'dust in the fan',
        'a bent pin',
      ],
      hours: numbers,
    },
    lines: [
      [0, 'Did you ever get round to the {thing}?'],
      [1, 'I did, it only cost me {hours} hours of my life.'],
      [0, 'And what was it in the end?'],
      [1, '{fault}, of all things.'],
      [0, 'Typical. I would have called somebody.'],
    ],
    questions: [
      ['What was wrong with the {thing} that {1} repaired?', 3],
      ['How long did {1} work on the {thing}?', 1],
    ],
  },
  {
    values: {
      city: cities,
      street: [
        'the harbour',
        'the botanical garden',
        'the old mill',
        'the station',
        'the opera',
        'the market hall',
      ],
      food: [
        'grilled sardines',
        'barley soup',
        'chestnut cake',
        'pickled herring',
        'plum dumplings',
        'lentil stew',
      ],
      when: days,
    },
    lines: [
      [1, 'So how was {city}?'],
      [0, 'Lovely, and warmer than I had packed for.'],
      [1, 'Where did you sleep?'],
      [0, 'A small pension right behind {street}, with bells every hour.'],
      [1, 'And the food?'],
      [0, 'I lived on {food}, honestly.'],
      [1, 'When did you get back?'],
      [0, 'On {when}, past midnight.'],
    ],
    questions: [
      ['Where did {0} stay in {city}?', 3],
      ['What did {0} eat in {city}?', 5],
      ['On what day did {0} return from {city}?', 7],
    ],
  },
  {
    values: {
      job: [
        'the library',
        'the bakery',
        'the ferry company',
        'the museum',
        'the nursery',
        'the weather service',
      ],
      reason: [
        'the night shifts',
        'the commute',
        'the salary',
        'the boss',
        'the noise',
        'the temporary contract',
      ],
      start: ['April', 'May', 'June', 'August', 'September', 'October', 'November', 'January'],
    },
    lines: [
      [0, 'Any word from {job} about the position?'],
      [1, 'They offered it to me yesterday!'],
      [0, 'Congratulations! Will you take it?'],
      [1, 'I think so. {reason} still worries me a bit.'],
      [0, 'When would you begin?'],
      [1, 'The first of {start}.'],
    ],
    questions: [
      ['When does {1} start at {job}?', 5],
      ['What worries {1} about working for {job}?', 3],
    ],
  },
  {
    values: {
      pet: ['the kitten', 'the parrot', 'the old greyhound', 'the tortoise', 'the rabbit', 'the puppy'],
      vet: [
        'an allergy',
        'a splinter in the paw',
        'an upset stomach',
        'a chipped tooth',
        'nothing but boredom',
      ],
      cure: [
        'drops twice a day',
        'a plastic collar',
        'rice and boiled chicken',
        'more time outdoors',
        'an ointment',
      ],
    },
    lines: [
      [1, 'How is {pet} doing?'],
      [0, 'Better. We went to the clinic after all.'],
      [1, 'Oh no, what did they find?'],
      [0, '{vet}. I had imagined far worse.'],
      [1, 'Is there something you can do?'],
      [0, 'Yes, {cure} for a fortnight.'],
      [1, 'Poor thing. Give it a hug from me.'],
    ],
    questions: [
      ['What did the vet find with {pet} of {0}?', 3],
      ['How is {pet} of {0} being treated?', 5],
    ],
  },
  {
    values: {
      course: [
        'pottery',
        'Portuguese',
        'sailing',
        'bookbinding',
        'salsa',
        'beekeeping',
        'calligraphy',
        'archery',
      ],
      place: [
        'the community centre',
        'the fire station',
        'a barn',
        'the parish hall',
        'the gym',
        'the tower',
      ],
      price: ['ninety', 'a hundred and ten', 'forty-five', 'sixty', 'two hundred', 'a hundred and thirty'],
      when: days,
    },
    lines: [
      [0, 'I signed up for {course}.'],
      [1, 'You did? Where do they teach that?'],
      [0, 'In {place}, behind the supermarket.'],
      [1, 'Expensive?'],
      [0, '{price} for the whole term.'],
      [1, 'And which evening?'],
      [0, '{when}, so no more choir for me.'],
    ],
    questions: [
      ['Where does the {course} course of {0} take place?', 2],
      ['What does {0} pay for {course}?', 4],
      ['On which evening does {0} go to {course}?', 6],
    ],
  },
  {
    values: {
      person: ['sister', 'uncle', 'neighbour', 'grandmother', 'cousin', 'old teacher'],
      gift: [
        'a pair of binoculars',
        'a cactus',
        'opera tickets',
        'a cookbook',
        'a wool blanket',
        'a chess clock',
      ],
      shop: [
        'the flea market',
        'the shop by the bridge',
        'an auction',
        'a friend of mine',
        'the cathedral shop',
      ],
    },
    lines: [
      [1, 'What are you giving your {person} for the birthday?'],
      [0, 'Guess! {gift}.'],
      [1, 'Oh, that is a fine idea. Where did you find one?'],
      [0, 'At {shop}, and half price.'],
      [1, 'I never have such luck.'],
    ],
    questions: [
      ['What birthday present did {0} get for the {person}?', 1],
      ['Where did {0} buy the present for the {person}?', 3],
    ],
  },
  {
    values: {
      plant: ['tomatoes', 'roses', 'beans', 'strawberries', 'pumpkins', 'lavender', 'courgettes', 'dahlias'],
      pest: ['slugs', 'mildew', 'aphids', 'the hail', 'a mole', 'the drought', 'caterpillars'],
      remedy: [
        'coffee grounds',
        'copper tape',
        'nettle tea',
        'an old net',
        'diluted milk',
        'a hedgehog house',
      ],
    },
    lines: [
      [0, 'My {plant} are a sorry sight this year.'],
      [1, 'Mine were, too. What got them?'],
      [0, '{pest}, I am afraid.'],
      [1, 'Have you tried {remedy}?'],
      [0, 'Not yet. Does it help?'],
      [1, 'It saved half of mine.'],
    ],
    questions: [
      ['What ruined the {plant} of {0}?', 2],
      ['What did {1} recommend for the {plant}?', 3],
    ],
  },
  {
    values: {
      book: [
        'The Salt Road',
        'Winter Ferry',
        'A Map of Moths',
        'The Ninth Lock',
        'Quiet Engines',
        'Glass Orchard',
      ],
      part: ['the ending', 'the first chapter', 'the letters', 'the trial', 'the shipwreck', 'the narrator'],
      next: ['a biography', 'some poems', 'a thriller', 'nothing for a while', 'the sequel', 'essays'],
    },
    lines: [
      [1, 'Have you finished {book}?'],
      [0, 'Last night, in one go.'],
      [1, 'And? Which bit stayed with you?'],
      [0, '{part}. I had to put it down for a moment.'],
      [1, 'What comes now?'],
      [0, 'For a change, {next}.'],
    ],
    questions: [
      ['What impressed {0} most in {book}?', 3],
      ['What will {0} read after {book}?', 5],
    ],
  },
  {
    values: {
      room: ['the kitchen', 'the bathroom', 'the attic', 'the hallway', 'the study', 'the bedroom'],
      color: ['olive green', 'a pale blue', 'terracotta', 'plain white', 'mustard', 'dove grey', 'aubergine'],
      helper: [
        'my brother',
        'two students',
        'a firm from town',
        'nobody at all',
        'the whole choir',
        'my aunt',
      ],
    },
    lines: [
      [0, 'We are finally painting {room}.'],
      [1, 'Which shade did you settle on?'],
      [0, '{color}, after a week of samples.'],
      [1, 'Are you doing it all alone?'],
      [0, 'No, with {helper}.'],
      [1, 'Send me a picture when it is dry.'],
    ],
    questions: [
      ['What color is {room} of {0} getting?', 2],
      ['Who helps {0} to paint {room}?', 4],
    ],
  },
  {
    values: {
      event: [
        'the marathon',
        'the regatta',
        'the chess open',
        'the baking contest',
        'the triathlon',
        'the quiz night',
      ],
      rank: [
        'fourth',
        'second to last',
        'twelfth',
        'third in my age group',
        'first, believe it or not',
        'ninth',
      ],
      trouble: ['a cramp', 'a flat tyre', 'my nerves', 'the heat', 'a broken strap', 'no sleep at all'],
    },
    lines: [
      [1, 'Tell me about {event}!'],
      [0, 'I came in {rank}.'],
      [1, 'Respect! Did everything go well?'],
      [0, 'Apart from {trouble}, yes.'],
      [1, 'Again next year?'],
      [0, 'Ask me in a month.'],
    ],
    questions: [
      ['How did {0} place in {event}?', 1],
      ['What went wrong for {0} at {event}?', 3],
    ],
  },
  {
    values: {
      film: [
        'a documentary on glaciers',
        'a silent film',
        'a film about lighthouse keepers',
        'an old western',
      ],
      cinema: ['the Apollo', 'the little one in the park', 'the Odeon', 'the student union', 'the Rex'],
      verdict: [
        'too long by half',
        'worth every minute',
        'beautiful but cold',
        'funnier than it meant to be',
      ],
    },
    lines: [
      [0, 'Yesterday we watched {film}.'],
      [1, 'Where do they show such things?'],
      [0, '{cinema}, every second week.'],
      [1, 'And was it any good?'],
      [0, '{verdict}.'],
    ],
    questions: [
      ['Where did {0} see {film}?', 2],
      ['What did {0} think of {film}?', 4],
    ],
  },
  {
    values: {
      dish: ['goulash', 'ramen', 'paella', 'sauerkraut', 'risotto', 'lasagne', 'pierogi', 'curry'],
      secret: [
        'a spoon of vinegar',
        'smoked paprika',
        'one grated apple',
        'dark beer',
        'lemon peel',
        'anchovies',
      ],
      time: ['forty minutes', 'three hours', 'overnight', 'until it smells right', 'a quarter of an hour'],
    },
    lines: [
      [1, 'Your {dish} was the best thing I ate all winter. What is the trick?'],
      [0, 'Do not tell anybody: {secret}.'],
      [1, 'Really! And how long does it stand on the stove?'],
      [0, '{time}, with the lid half open.'],
      [1, 'I am writing this down.'],
    ],
    questions: [
      ['What is the secret ingredient in the {dish} of {0}?', 1],
      ['How long does {0} cook {dish}?', 3],
    ],
  },
  {
    values: {
      lost: ['passport', 'umbrella', 'wallet', 'phone', 'house key', 'violin bow', 'glasses', 'scarf'],
      found: [
        'under the car seat',
        'at the dentist',
        'in the freezer',
        'on the tram',
        'in the laundry',
        'at the pool',
      ],
      finder: ['a schoolboy', 'the conductor', 'the cleaner', 'my mother', 'the postman', 'a jogger'],
    },
    lines: [
      [0, 'Is your {lost} still missing?'],
      [1, 'No, it has turned up.'],
      [0, 'Where?'],
      [1, '{found}, would you believe it.'],
      [0, 'And who noticed?'],
      [1, '{finder}. I owe somebody a cake.'],
    ],
    questions: [
      ['Where was the lost {lost} of {1}?', 3],
      ['Who found the {lost} that {1} had lost?', 5],
    ],
  },
  {
    values: {
      body: ['knee', 'shoulder', 'back', 'wrist', 'ankle', 'elbow'],
      doctor: [
        'rest and ice',
        'exercises with a rubber band',
        'an operation in spring',
        'a brace',
        'swimming',
        'needles',
      ],
      weeks: numbers,
    },
    lines: [
      [1, 'How is the {body}?'],
      [0, 'It still hurts on stairs.'],
      [1, 'What did the specialist say?'],
      [0, '{doctor}, and patience.'],
      [1, 'For how long?'],
      [0, 'Another {weeks} weeks at least.'],
    ],
    questions: [
      ['What was {0} told to do about the {body}?', 3],
      ['How much longer will the {body} of {0} need?', 5],
    ],
  },
  {
    values: {
      band: [
        'the quartet',
        'the brass band',
        'the choir',
        'the drum group',
        'the folk trio',
        'the school orchestra',
      ],
      venue: [
        'in the crypt',
        'on a barge',
        'at a wedding',
        'in the prison',
        'under the viaduct',
        'in a greenhouse',
      ],
      piece: ['a tango', 'something by Bartók', 'sea shanties', 'a lullaby', 'three madrigals', 'a march'],
    },
    lines: [
      [0, 'Is {band} playing again soon?'],
      [1, 'Yes, on the last weekend of the month.'],
      [0, 'The usual place?'],
      [1, 'This time {venue}.'],
      [0, 'What is on the programme?'],
      [1, '{piece}, and an encore if they let us.'],
    ],
    questions: [
      ['Where will {band} of {1} play next?', 3],
      ['What will {1} perform with {band}?', 5],
    ],
  },
  {
    values: {
      device: ['camera', 'telescope', 'coffee grinder', 'keyboard', 'record player', 'tablet', 'drone'],
      price: ['eighty', 'three hundred', 'fifteen', 'a hundred and twenty', 'fifty-five', 'six hundred'],
      flaw: ['a scratch on the side', 'no manual', 'a weak battery', 'a sticky button', 'a missing lid'],
    },
    lines: [
      [1, 'I have bought a second-hand {device}.'],
      [0, 'Nice! What did they want for it?'],
      [1, '{price}, I did not even haggle.'],
      [0, 'And is there a catch?'],
      [1, 'Only {flaw}.'],
      [0, 'One can live with that.'],
    ],
    questions: [
      ['What did {1} pay for the used {device}?', 2],
      ['What is the matter with the {device} that {1} bought?', 4],
    ],
  },
]
