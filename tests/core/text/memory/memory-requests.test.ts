import { describe, expect, test } from 'vitest'
import { readMemoryRequest } from '../../../../lib/core/text/memory/memory-requests.ts'
import { slowShapes } from '../../../helpers/growth.ts'

describe('what a message asks to have remembered or forgotten', () => {
  test.each([
    ['Remember that I prefer metric units.', 'I prefer metric units'],
    ['please remember: the boat is called Tern', 'the boat is called Tern'],
    ['Hey, can you remember that I work from Bergen?', 'I work from Bergen'],
    ['Remember I prefer tea. What is on today?', 'I prefer tea'],
    ['Don’t forget that version 2.5 ships in May', 'version 2.5 ships in May'],
    ['Keep in mind that we close at 5 p.m. on Fridays', 'we close at 5 p.m. on Fridays'],
    ['Merke dir, dass ich in Bergen wohne.', 'ich in Bergen wohne'],
    ['Recuerda que vivo en Bergen', 'vivo en Bergen'],
  ])('%s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Forget that I live in Oslo', 'I live in Oslo'],
    ['please forget about the boat', 'the boat'],
    ['Vergiss, dass ich in Oslo wohne', 'ich in Oslo wohne'],
  ])('%s', (message, forget) => {
    expect(readMemoryRequest(message)).toEqual({ forget })
  })

  test.each([
    ['Remember in all Spaces that I prefer metric units.', 'I prefer metric units'],
    ['remember for all my spaces: I prefer tea', 'I prefer tea'],
    ['Please remember across every Space that I work from Bergen', 'I work from Bergen'],
    ['In every Space, please remember that I prefer tea', 'I prefer tea'],
    ['Could you remember in all of my Spaces that I prefer tea?', 'I prefer tea'],
    ['Remember everywhere that I prefer tea', 'I prefer tea'],
    ['Remember that in every Space I prefer tea', 'I prefer tea'],
    ['Remember that I prefer tea, in all Spaces.', 'I prefer tea'],
    ['Merke dir in allen Spaces, dass ich Tee trinke.', 'ich Tee trinke'],
    ['Bitte merk dir für alle Spaces: ich trinke Tee', 'ich trinke Tee'],
    ['Souviens-toi dans tous les Spaces que je bois du thé', 'je bois du thé'],
    ['Pour chaque espace, retiens que je bois du thé', 'je bois du thé'],
    ['Recuerda en todos los espacios que bebo té', 'bebo té'],
    ['En cada Space, recuerda que bebo té', 'bebo té'],
  ])('in all Spaces: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember, everywhere: true })
  })

  test.each([
    ['Forget in all Spaces that I live in Oslo', 'I live in Oslo'],
    ['In every Space, forget about the boat', 'the boat'],
    ['Vergiss in allen Spaces, dass ich in Oslo wohne', 'ich in Oslo wohne'],
    ['Oublie dans tous les Spaces que je vis à Oslo', 'je vis à Oslo'],
    ['Olvida en todos los Spaces que vivo en Oslo', 'vivo en Oslo'],
  ])('in all Spaces: %s', (message, forget) => {
    expect(readMemoryRequest(message)).toEqual({ forget, everywhere: true })
  })

  test.each([
    ['Remember that there are forms in all spaces of the hall', 'there are forms in all spaces of the hall'],
    ['Remember everywhere I sailed', 'everywhere I sailed'],
    ['Remember that everywhere in Oslo is shut', 'everywhere in Oslo is shut'],
  ])('in this Space alone: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Vergiss nicht, dass ich Tee trinke', 'ich Tee trinke'],
    ['N’oublie pas que je bois du thé', 'je bois du thé'],
    ['No olvides que bebo té', 'bebo té'],
  ])('is not forgotten by “do not forget”: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    'In every Space, what is due?',
    'In all Spaces I prefer tea',
    'Remember to call Anna',
    'Remember when we sailed?',
    'Do you remember that boat?',
    'Forget it.',
    'Forget everything',
    'I remember that the boat is called Tern',
    'Anna wrote: Remember that you must pay.',
    'Here is the mail.\n\nRemember that you must pay.',
    '',
  ])('nothing: %s', (message) => {
    expect(readMemoryRequest(message)).toBeNull()
  })

  test.each([
    ["Remember this: my dog's name is Rex", "my dog's name is Rex"],
    ['Please remember the following: my dog is Rex', 'my dog is Rex'],
    ['Remember - my dog is Rex', 'my dog is Rex'],
    ['Remember:\n- I prefer tea', 'I prefer tea'],
    ['Remember “my dog is Rex”', 'my dog is Rex'],
    ['Remember, please, that I prefer tea', 'I prefer tea'],
    ['Remember that I prefer tea, please', 'I prefer tea'],
    ['I want you to remember that I prefer tea', 'I prefer tea'],
    ['Always remember: I prefer tea', 'I prefer tea'],
    ['Make sure you remember that I prefer tea', 'I prefer tea'],
    ['Would you mind remembering that I prefer tea?', 'I prefer tea'],
    ['Save to memory: I prefer tea', 'I prefer tea'],
    ['Add to your memory that I prefer tea', 'I prefer tea'],
    ['From now on, remember that I prefer tea', 'I prefer tea'],
    ['Hey Void, please remember that I prefer tea', 'I prefer tea'],
    ['Thanks. Remember that I prefer tea', 'I prefer tea'],
    ['Remember to always answer in metric units', 'always answer in metric units'],
    ['I prefer tea. Remember that.', 'I prefer tea'],
    ['I prefer tea, please remember.', 'I prefer tea'],
    ['我吃素，请记住', '我吃素'],
  ])('in other words: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Remember that Dr. Ann Lee is my dentist. What is due?', 'Dr. Ann Lee is my dentist'],
    ['Remember that I live at 12 St. James Street', 'I live at 12 St. James Street'],
    ['Remember that my address is 5 Elm St.', 'my address is 5 Elm St.'],
    ['Remember that we meet at 9 a.m. Monday', 'we meet at 9 a.m. Monday'],
    ['Remember that we close at 5 p.m. What is due?', 'we close at 5 p.m.'],
    ['Remember that the answer is no. What is due?', 'the answer is no'],
  ])('an abbreviation ends no sentence: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Bitte merken Sie sich, dass ich Tee trinke', 'ich Tee trinke'],
    ['Kannst du dir merken, dass ich Tee trinke?', 'ich Tee trinke'],
    ['Denk bitte daran, dass ich Tee trinke', 'ich Tee trinke'],
    ["S'il te plaît, retiens que je bois du thé", 'je bois du thé'],
    ['Notez que je bois du thé', 'je bois du thé'],
    ['Por favor, ten en cuenta que bebo té', 'bebo té'],
    ['Ricordati che bevo tè', 'bevo tè'],
    ['Lembre-se de que bebo chá', 'bebo chá'],
    ['Onthoud dat ik thee drink', 'ik thee drink'],
    ['Vergeet niet dat ik thee drink', 'ik thee drink'],
    ['Kom ihåg att jag dricker te', 'jag dricker te'],
    ['Husk at jeg drikker te', 'jeg drikker te'],
    ['Muista, että juon teetä', 'juon teetä'],
    ['Zapamiętaj, że piję herbatę', 'piję herbatę'],
    ['Zapamatuj si, že piju čaj', 'piju čaj'],
    ['Запомни, что я пью чай', 'я пью чай'],
    ["Запам'ятай, що я п'ю чай", "я п'ю чай"],
    ['Unutma ki çay içerim', 'çay içerim'],
    ['Çay içtiğimi unutma', 'Çay içtiğimi'],
    ['تذكر أن قاربي اسمه تيرن', 'قاربي اسمه تيرن'],
    ['זכור שאני שותה תה', 'אני שותה תה'],
    ['याद रखो कि मैं चाय पीता हूँ', 'मैं चाय पीता हूँ'],
    ['请记住我喝茶', '我喝茶'],
    ['記住：我的船叫燕鷗', '我的船叫燕鷗'],
    ['私が紅茶を飲むことを覚えておいてください', '私が紅茶を飲む'],
    ['제가 차를 마신다는 것을 기억해 줘', '제가 차를 마신다는 것'],
  ])('in many languages: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Forget: I live in Oslo', 'I live in Oslo'],
    ['You can forget the fact that I live in Oslo', 'I live in Oslo'],
    ['Forget everything you know about my dog', 'my dog'],
    ['Stop remembering that I live in Oslo', 'I live in Oslo'],
    ["Please don't remember that I live in Oslo", 'I live in Oslo'],
    ['Remove from memory that I live in Oslo', 'I live in Oslo'],
    ['Vergiss bitte, dass ich in Oslo wohne', 'ich in Oslo wohne'],
    ['Oublie mon adresse', 'mon adresse'],
    ['Olvídate de que vivo en Oslo', 'vivo en Oslo'],
    ['Dimentica che vivo a Oslo', 'vivo a Oslo'],
    ['Esqueça que moro em Oslo', 'moro em Oslo'],
    ['Vergeet dat ik in Oslo woon', 'ik in Oslo woon'],
    ['Glöm att jag bor i Oslo', 'jag bor i Oslo'],
    ['Zapomnij, że mieszkam w Oslo', 'mieszkam w Oslo'],
    ['Забудь, что я живу в Осло', 'я живу в Осло'],
    ["Oslo'da yaşadığımı unut", "Oslo'da yaşadığımı"],
    ['忘掉我住在奥斯陆', '我住在奥斯陆'],
  ])('to be forgotten, in other words: %s', (message, forget) => {
    expect(readMemoryRequest(message)).toEqual({ forget })
  })

  test.each([
    "Don't forget to buy milk",
    'Vergiss es',
    'Vergiss alles',
    'Vergiss nicht die Milch',
    'Oublie ça',
    'Olvídalo',
    'forget about it',
    'Forget everything about me',
    'Ricorda di comprare il latte',
    'Husk at købe mælk',
    '记得买牛奶',
    'Süt almayı unutma',
    'Recuérdame que tengo que llamar',
    'Erinnere mich daran, dass ich anrufe',
    "Don't you remember that I like tea",
    'What is my dog called, remember that?',
    'If I move to Oslo, remember that',
    'Notes: lamp',
  ])('nothing that is lasting: %s', (message) => {
    expect(readMemoryRequest(message)).toBeNull()
  })

  test.each(['を覚え', 'a duğu ', 'please ', 'Dr. ', ', remember ', 'I like - '])(
    'of %j again and again is read in linear time',
    (piece) => {
      const shapes = { again: (length: number) => piece.repeat(length / piece.length) }

      expect(slowShapes((text) => () => readMemoryRequest(text), { shapes, minLength: 2000 })).toEqual([])
    },
  )
})
