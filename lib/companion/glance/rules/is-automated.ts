/** Characters of a message that are looked at, from its beginning and from its end. */
const maxText = 20_000

const programs =
  /^(?:no-?_?\.?reply|do-?_?\.?not-?_?\.?reply|notifications?|notify|alerts?|mailer(?:-daemon)?|postmaster|bounces?|newsletters?|news|updates?|marketing|promo(?:tions)?|offers|deals|digest|receipts?|billing|invoices?|orders?|auto(?:mated|-confirm)?|robot|bot|system|cron|monitoring|ci|builds?|shipment-tracking|tracking|share|sharing|invites?|invitations?|reminders?|daemon)(?:[+_-].*)?@/i

const saysSo =
  /(?<![\p{L}])(?:unsubscribe|opt[ -]out|view (?:this (?:e-?mail|message) )?(?:in|on) (?:your |a |the )?(?:web ?)?browser|(?:manage|update) (?:your )?(?:e-?mail )?(?:preferences|subscription)|you(?: are|'re) receiving this|(?:this is|this message was|this e-?mail was) (?:an )?auto(?:mated|matically)|auto-?generated|(?:do not|don't|please do not) reply|abbestellen|newsletter abmelden|automatisch (?:erstellt|generiert|versendet)|se désabonner|darse de baja)(?![\p{L}])/iu

const receipt =
  /(?<![\p{L}])(?:receipt|order (?:confirmation|confirmed|number|no\.?|#)|your order|payment (?:received|confirmation|successful|processed)|thank(?:s| you) for your (?:order|purchase|payment|booking|reservation)|booking confirm(?:ed|ation)|invoice (?:paid|settled)|has (?:been )?shipped|out for delivery|delivered to|bestellbestätigung|zahlungseingang|zahlungsbestätigung|quittung|vielen dank für (?:ihre|deine) (?:bestellung|zahlung)|confirmation de commande|reçu de paiement)(?![\p{L}])/iu

export type MailText = {
  subject: string
  from: { name: string; address: string }
  text: string
  /** Whether its headers say so. */
  automated: boolean
}

/** Whether a program sent it, a list did, or it confirms a purchase: by headers, the sender’s address or its words. */
export function isAutomated({ automated, from, subject, text }: MailText): boolean {
  if (automated || programs.test(from.address)) return true
  const ends = text.length > 2 * maxText ? `${text.slice(0, maxText)}\n${text.slice(-maxText)}` : text
  const words = `${subject}\n${ends}`.replaceAll('’', "'")
  return saysSo.test(words) || receipt.test(words)
}
