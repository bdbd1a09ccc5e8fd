// Plain mails that ask something, in six languages, each with the sentence that a perfect analyst quotes.

import { owner, type Situation } from './make-situations.ts'

/** A body, in which the sentence that asks stands between `{` and `}`. */
const bodies: Record<string, readonly string[]> = {
  en: [
    'Hi,\n\n{the blue folder would be good to have back before the auditors arrive.} Hope all is well.\n\nJo',
    '{Any news on the roof?} The scaffolding costs us every day.',
    '{Let us know whether two or three rooms suit you.} I hold all of them until then.\n\nMia',
    'I put the receipt into the drawer. {Where shall I leave the keys?}\n\n-- \nTom\nunsubscribe at any time',
    '{Could you have a look at the second page by Friday?}\n\n> Earlier words\n> of yours',
    '{Your vote is missing.} Everybody else has sent theirs.',
    'Thanks for the tour! {Do send the measurements of the shed when you find a moment.}',
    '{I need to know by 30 November which colour it will be.}',
  ],
  de: [
    '{Magst du am Samstag mitkommen?} Wir fahren um acht.',
    'Hallo,\n\n{schick mir doch bitte die Maße vom Fenster.}\n\nLina',
    '{Die Unterlagen müssten bis zum 30. November bei mir sein.} Danke dir!',
    'Das Boot liegt wieder im Hafen. {Wer zahlt die Liegegebühr?}',
    '{Sag Bescheid, ob zehn Liter reichen.}\n\nGrüße\nJan',
    '{Wir bräuchten noch deine Entscheidung zum Anstrich.}',
  ],
  fr: [
    '{Tu viens dimanche ?} On mange à midi.',
    'Bonjour,\n\n{il me faudrait les plans avant le 30 novembre.}\n\nLuc',
    '{Merci de me dire laquelle des deux offres vous convient.}',
    'La peinture est sèche. {Qui passe chercher les clés ?}',
    '{J’attends toujours votre accord pour le devis.}',
    '{Envoie-moi la liste dès que tu peux.}',
  ],
  es: [
    '{¿Vienes el domingo?} Comemos a las dos.',
    'Hola:\n\n{necesito los planos antes del 30 de noviembre.}\n\nPaz',
    '{Dime cuál de las dos ofertas prefieres.}',
    'La barca ya está en el puerto. {¿Quién paga el amarre?}',
    '{Sigo esperando tu respuesta sobre el presupuesto.}',
    '{Mándame la lista cuando puedas.}',
  ],
  it: [
    '{Vieni domenica?} Mangiamo all’una.',
    'Ciao,\n\n{mi servono i disegni entro il 30 novembre.}\n\nLia',
    '{Fammi sapere quale delle due offerte preferisci.}',
    'La barca è di nuovo in porto. {Chi paga l’ormeggio?}',
    '{Aspetto ancora la tua risposta sul preventivo.}',
    '{Mandami la lista appena puoi.}',
  ],
  pl: [
    '{Przyjedziesz w niedzielę?} Jemy o drugiej.',
    'Cześć,\n\n{potrzebuję planów do 30 listopada.}\n\nOla',
    '{Daj znać, którą ofertę wybierasz.}',
    'Łódź jest już w porcie. {Kto płaci za postój?}',
    '{Wciąż czekam na twoją odpowiedź w sprawie wyceny.}',
    '{Prześlij mi listę, kiedy będziesz mógł.}',
  ],
}

/** One situation each, with its language. */
export const askedSituations: (Situation & { language: string; ask: string })[] = Object.entries(
  bodies,
).flatMap(([language, all]) =>
  all.map((marked, at) => {
    const [, ask = ''] = /\{([^{}]*)\}/.exec(marked) ?? []
    const [from, subject] = [`Anna Berg <anna.berg@example.org>`, `Boathouse ${language} ${at + 1}`]
    return {
      ...{ id: `asked in ${language} ${at + 1}`, kind: 'needs reply' as const, expected: 'speak' as const },
      mails: [
        {
          ...{ from, to: `Keeper <${owner}>`, subject, id: `<asked-${language}-${at}@example.org>` },
          ...{ date: '22 Nov 2026 09:00:00 +0000', body: marked.replace(/[{}]/g, '') },
        },
      ],
      view: { mail: 0 },
      says: { subject, sender: from, query: 'boathouse', message: '' },
      ...{ language, ask },
    }
  }),
)
