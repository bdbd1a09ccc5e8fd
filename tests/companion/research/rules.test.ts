import { describe, expect, test } from 'vitest'
import { isThin } from '../../../lib/companion/research/rules/is-thin.ts'
import { quoteEvidence } from '../../../lib/companion/research/rules/quote-evidence.ts'
import { readCommand, readMessage, readReply } from '../../../lib/companion/research/rules/read-message.ts'
import {
  BudgetReached,
  checkBudget,
  reservationFor,
  spentBy,
} from '../../../lib/companion/research/run/budget.ts'
import { planByRules } from '../../../lib/companion/research/stages/analyze.ts'
import { markdownLine } from '../../../lib/core/text/cited/cited-markdown.ts'
import type { ResearchEvidenceRow } from '../../../lib/db/repos/research_stages.ts'

describe('a message', () => {
  test.each([
    ['/research What is due?', { depth: 'standard', question: 'What is due?' }],
    ['  /RESEARCH deep\n What is due?', { depth: 'deep', question: 'What is due?' }],
    ['/research deeply held views', { depth: 'standard', question: 'deeply held views' }],
    ['/research', null],
    ['/research quick', { depth: 'standard', question: 'quick' }],
    ['/researching is hard', null],
    ['What about /research?', null],
  ])('%j begins research or does not', (text, expected) => {
    expect(readCommand(text)).toEqual(expected)
  })

  test.each([
    ['Go on.', 'go_on'],
    ['yes!', 'go_on'],
    ['1', 'go_on'],
    ['Cancel', 'cancel'],
    ['3', 'cancel'],
    ['not now', 'cancel'],
    ['Not now, thanks', 'cancel'],
    ['No, later', 'cancel'],
    ['skip it', 'cancel'],
    ['Leave it.', 'cancel'],
    ['let it be', 'cancel'],
    ['jetzt nicht', 'cancel'],
    ['Plus tard, merci', 'cancel'],
    ['más tarde', 'cancel'],
    ['не сейчас', 'cancel'],
    ['以后再说', 'cancel'],
    ['あとで', 'cancel'],
    ['skip the part about the rent', 'change'],
    ['Leave it out', 'change'],
    ['later years only', 'change'],
    ['Yes, but leave out the rent', 'change'],
    ['go on holiday with the plan', 'change'],
    ['', 'change'],
  ])('%j to a run that waits is read by exact words', (text, kind) => {
    expect(readReply(text)).toEqual({ kind })
  })
})

test('a plan by rules has what was asked, and never nothing', () => {
  expect(planByRules('When is the lease due, and who pays?').sub_questions).toEqual([
    'When is the lease due',
    'who pays',
  ])
  expect(planByRules('???').sub_questions).toEqual(['???'])
  expect(planByRules('why? '.repeat(10_000)).sub_questions).toEqual(['why'])
})

test('a line of others’ words is Markdown without effect', () => {
  const line = markdownLine('# A ![x](http://a/b.png) [click](http://evil) <b>*now*</b>\n[[Page|Label]] |')

  expect(line).not.toMatch(/http|(?<!\\)[[\]<>*|]/)
  expect(line).toContain('click')
  expect(line).toContain('Label')
})

describe('a budget', () => {
  const run = { budget_usd: 1, budget_tokens: 10_000 }

  test('allows what fits it and the share of the stage, and nothing more', () => {
    const check = (tokens: number, usd: number | null) => () =>
      checkBudget(run, [], { stage: 'synthesize', reservation: { tokens, usd } })

    expect(check(8000, 0.8)).not.toThrow()
    expect(check(8001, 0.1)).toThrow(BudgetReached)
    expect(check(100, 0.81)).toThrow(BudgetReached)
    expect(check(8000, null)).not.toThrow()
  })

  test('counts what goes in at its worst and the longest answer', () => {
    const price = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 }
    const { tokens, usd } = reservationFor(['lamp lamp'], 50, price)

    expect(tokens).toBe(100 + 6 + 50)
    expect(usd).toBe(106 + 100)
    expect(reservationFor([], 50, null).usd).toBe(null)
  })

  test('nothing costs nothing', () => {
    expect(spentBy([])).toEqual({ tokens: 0, usd: null })
  })
})

/** As people ask; what is behind `?` says too little for a deep run. */
const questions =
  `When is the lease due|Who pays for the lens|How often does the lamp turn|rapeseed oil or paraffin
What did we decide about the boathouse|Costs of the ferry since 2019|Compare the three bids for the roof|battery storage
Why was the merger called off|Which vaccines need a second dose|Is the western reservoir deeper than the eastern
History of the tram line|What are the risks of moving to Postgres 18|How do other Spaces handle retention|Turin office
Was kostet die Miete|Wer hat den Turm gestrichen|Wie hoch ist der Pegel in Lund|Welche Fristen gelten für die Steuer
Qui a payé la lentille|Combien coûte le bail|Quels sont les risques du projet|Où est la clé du hangar
¿Cuándo vence el contrato?|¿Quién pagó la lente?|Costes del ferry|Riesgos de la fusión
Quando scade il contratto|Chi ha pagato la lente|I rischi della fusione|Costi del traghetto
Quando vence o contrato|Quem pagou a lente|Os riscos da fusão|Custos do ferry
Wanneer loopt het contract af|Wie betaalde de lens|De risico's van de fusie|Kosten van de veerboot
När går kontraktet ut|Vem betalade linsen|Riskerna med sammanslagningen|Kostnader för färjan
Hvornår udløber kontrakten|Hvem betalte linsen|Risici ved fusionen|Kiedy wygasa umowa|Kto zapłacił za soczewkę
Ryzyko fuzji|Когда истекает договор|Кто заплатил за линзу|Риски слияния|Sözleşme ne zaman bitiyor|Merceği kim ödedi
合同什么时候到期|谁支付了镜头|契約はいつ終わりますか|レンズの費用|계약은 언제 끝나나요|렌즈 비용|متى ينتهي العقد|تكاليف العبارة
Everything about the northern wall excavation|Summarize what Ada wrote on compilers|Latest news on the Corran bridge
Pros and cons of heat pumps in old houses|How did the keepers sleep|What is the notice period|insurance for the pier
Do otters need a licence|Which of the caretakers has a key|What changed in the rules for visitors|GDPR and mail archives
Find all promises we made to Skerry Ltd|How reliable is the 2014 survey|What does Nair say about hiring|tank capacity
Evidence for and against the northern route|Is it true that the plant in Lund closes|Which pages contradict each other on rent
How many cars fit on the ferry|Who was hired in 2014 and by whom|tax deadlines 2026|When was the depot in Leith begun
Are there studies on tide power near Orkney|What should we ask the surveyor|Where do the numbers in the budget come from
Effects of fog on the timetable|Which suppliers deliver paraffin|Who may open the quarantine house|fees for late returns|How long is the Corran bridge
?what about it|?this topic|?tell me more|?research this|?everything|?and them|?help|?more information please`.split(
    /[|\n]/,
  )

test('a question back is asked of what says too little, and of at most one in ten', () => {
  const thin = questions.filter((question) => isThin(question.replace(/^\?/, ''), 'deep'))

  expect(questions.length).toBeGreaterThanOrEqual(100)
  expect(thin.length).toBeLessThanOrEqual(questions.length / 10)
  expect(thin).toEqual(questions.filter((question) => question.startsWith('?')))
})

test.each([
  ...[
    'Remind me to call Ada on Friday',
    'Please add a task to order oil',
    'create a reminder for the lease',
    'todo: oil',
  ],
  ...[
    'Erinnere mich an die Miete',
    'Leg bitte eine Aufgabe an',
    'Rappelle-moi de payer',
    'Recuérdame el contrato',
  ],
  ...[
    'Ricordami il contratto',
    'Lembre-me do contrato',
    'Herinner me aan de huur',
    'Påminn mig om hyran',
    'Mind mig om lejen',
  ],
  ...[
    'Przypomnij mi o umowie',
    'Напомни мне про договор',
    'Bana hatırlat: kira',
    '提醒我交房租',
    'リマインド: 家賃',
    'Maak een taak',
  ],
])('%j asked for in a pause is done beside it', (text) => {
  for (const breakOut of [null, '', 'exit'])
    expect(readMessage(text, { breakOut, isElse: true })).toEqual({ kind: 'beside' })
})

test.each([
  ...[
    'Add a task force to the second question',
    'Also look at tasks',
    'only tasks that are due',
    'add reminders as a topic',
  ],
  ...['drop the one on tasks', 'auch Aufgaben', 'create a table of costs'],
])('%j changes the plan', (text) => {
  expect(readMessage(text, { breakOut: null, isElse: false }).kind).toBe('change')
})

describe('a reply in the words that people use', () => {
  test.each([
    'go for it',
    'let’s do it',
    'the second one',
    'alles klar, weiter',
    'super, mach das',
    'd’accord, on continue',
    'ça marche',
    'me parece bien, adelante',
    'ottimo, procediamo',
    'pode seguir',
    'prima, ga maar verder',
    'låter bra, kör bara',
    'lyder godt, kør bare',
    'w porządku',
    'хорошо, поехали',
    'harika, devam et',
    '可以，继续吧',
    '大丈夫です',
    '좋아요, 진행해 주세요',
    'ممتاز، استمر',
    '👍',
    '👍🏽',
    ...[
      'that’s fine',
      'Yes, do all of them',
      'go on then',
      'I’m fine with this plan',
      'number 2',
      'looks fine to me',
    ],
    ...['please continue with the plan', 'start the research', 'good to go', 'ready when you are', 'yup'],
    ...[
      'OK, mach weiter so',
      'ja, so machen wir das',
      'dann los',
      'oui, ca marche pour moi',
      'sì, procedi pure',
    ],
    ...[
      'bien, continúa así',
      'sim, pode ser',
      'ja, ga maar verder dan',
      'ja, fortsæt bare',
      'det ser bra ut, fortsätt',
    ],
    ...[
      'tak, proszę kontynuować',
      'да, давай дальше',
      'tamam, böyle devam et',
      '好的，那就继续吧',
      'はい、そのまま進めてください',
    ],
    ...['네, 이대로 진행해 주세요', 'نعم، تابع من فضلك'],
  ])('%s goes on', (text) => {
    expect(readReply(text).kind).toBe('go_on')
  })

  test.each([
    'let’s talk about something else',
    'lass uns über etwas anderes reden',
    'parlons d’autre chose',
    'hablemos de otra cosa',
    'deixa para lá',
    'vazgeç',
    '聊点别的',
    ...[
      'cancel the research',
      'I want to stop this research',
      'let’s change the subject',
      'a different question',
      'drop it',
    ],
    ...[
      'Recherche abbrechen',
      'lass uns das Thema wechseln',
      'arrête la recherche',
      'salir de la investigación',
    ],
    ...[
      'esci dalla ricerca',
      'sair da pesquisa',
      'stop het onderzoek',
      'avbryt sökningen',
      'прекрати исследование',
    ],
    ...['aramayı iptal et', '停止研究', 'リサーチを中止して', '연구 중지'],
  ])('%s leaves', (text) => {
    expect(readReply(text).kind).toBe('cancel')
  })

  test.each([
    ...[
      'super, but only the first',
      '👍 also look at costs',
      'klar, ohne Kosten',
      'drop 3',
      'correct the plan',
    ],
    ...[
      'is it good?',
      'do the first',
      'start with the second',
      'run it by Ada first',
      'a different plan',
      'not good',
    ],
    ...[
      'the plan',
      'gut, aber kürzer',
      'mach es kürzer',
      'das ist falsch',
      'ok mais plus court',
      'non so',
      'sim, mas só o primeiro',
    ],
    ...[
      'el precio',
      'ja maar korter',
      'короче',
      'да, но короче',
      'daha kısa',
      '先做第一个',
      '继续研究成本',
      'コストも調べて',
      '비용도',
    ],
  ])('%s changes the plan', (text) => {
    expect(readReply(text).kind).toBe('change')
  })

  test.each(['go on '.repeat(20), '好的'.repeat(60), 'o '.repeat(60)])(
    '%s and more takes no longer than its length',
    (text) => {
      expect(readReply(`${text}x`).kind).toBe('change')
    },
  )
})

test('a quotation stands under the sub-question that it answers best, and only there', () => {
  const passage = (n: string, text: string) => ({ n, text, sub_questions: [0, 1] }) as ResearchEvidenceRow
  const evidence = [
    passage('1', 'Anna Berg kept the lamp from 1901 to 1922.'),
    passage('2', 'The lamp turns once in twelve seconds.'),
  ]
  const sub_questions = ['How often does the lamp turn', 'who kept it']

  const quoted = quoteEvidence({ sub_questions }, evidence, 10)

  expect(quoted.map(({ section, cites }) => [section, cites])).toEqual([
    ['How often does the lamp turn', ['2']],
    ['who kept it', ['1']],
  ])
})
