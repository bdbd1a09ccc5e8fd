// What mail programs write around what they quote, forward and sign, in the languages that they are used in: English,
// German, French, Spanish, Italian, Portuguese, Dutch, Danish and Norwegian, Swedish, Finnish, Polish, Czech, Hungarian,
// Turkish, Romanian, Russian, Ukrainian, Bulgarian, Greek, Hebrew, Arabic, Chinese, Japanese and Korean. Labels and phrases as data; find-folds.ts has the rules.
// Collected from Outlook, Exchange, Apple Mail, Gmail, Thunderbird, Android, Hotmail, Windows Mail, Yahoo and Yandex, and
// checked with the fixtures of email-reply-parser, talon and planer.

/** The fields of a header block. */
export type Field = 'from' | 'date' | 'to' | 'cc' | 'subject' | 'other'

/** Labels in lower case, each a phrase before a colon; those that two fields share stand in the first. */
const labels: Record<Field, string> = {
  from:
    'from|von|de|da|van|fra|från|od|lähettäjä|от|отправитель|від|від кого|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|' +
    'feladó|gönderen|kimden|expéditeur|mittente|afzender|avsändare|afsender|avsender|remitente|remetente|nadawca|odesílatel|absender|από|de la|من|מאת',
  date:
    'sent|date|gesendet|datum|envoyé|envoyé le|envoye|enviado|enviado el|enviada|enviada em|enviado em|fecha|inviato|data|data invio|' +
    'verzonden|verzonden op|sendt|dato|skickat|skickat den|lähetetty|päivämäärä|päiväys|pvm|wysłano|wysłane|отправлено|дата|' +
    'надіслано|发送时间|发送日期|日期|寄件日期|送信日時|日付|日時|날짜|보낸 날짜|보낸날짜|elküldve|küldve|dátum|gönderilme|gönderildi|tarih|odesláno|ημερομηνία|στάλθηκε|trimis|изпратено|תאריך|נשלח|تاريخ الإرسال|التاريخ|تم الإرسال',
  to:
    'to|an|à|pour|destinataire|para|a|per|aan|til|till|vastaanottaja|do|кому|получатель|收件人|收件者|宛先|받는 사람|받는사람|' +
    'címzett|alıcı|kime|komu|destinatario|destinatários|mottagare|modtager|προς|către|catre|до|إلى|אל',
  cc: 'cc|kopie|kopia|kopio|kopi|копия|копія|抄送|副本|참조|másolat|bilgi|kopie an|copie à|copia|bcc|κοιν',
  subject:
    'subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|emne|ämne|aihe|temat|тема|主题|主旨|件名|제목|tárgy|konu|předmět|θέμα|subiect|относно|الموضوع|נושא',
  other:
    'reply-to|antwort an|répondre à|responder a|organization|organisation|importance|wichtigkeit|priority|attachments|anlagen|' +
    'anhang|pièces jointes|attachment|message-id|resent-from|sender|when|where|newsgroups|list|添付ファイル|附件',
}

const fieldByLabel = new Map(
  Object.entries(labels).flatMap(([field, all]) =>
    all.split('|').map((label) => [label, field as Field] as const),
  ),
)

/** The field that a line gives, with its value; null: it is no line of a header block. Its label may be “*From:*”. */
export function readField(line: string): { field: Field; value: string } | null {
  const [, label, value] =
    /^\*{0,2}([\p{L}][\p{L} -]{0,18}?)\s{0,3}[:：]\*{0,2}\s{0,5}(.*)$/u.exec(line) ?? []
  const field = label === undefined ? undefined : fieldByLabel.get(label.toLowerCase())
  return field === undefined ? null : { field, value: value ?? '' }
}

const wrote = phrase(
  'wrote|writes|schrieb|schrieben|écrit|ecrit|escribió|escribio|scritto|scrive|escreveu|schreef|schrijft|skrev|skriver|kirjoitti|' +
    'napisał|napisała|napisał\\(a\\)|pisze|napsal|napsala|napsal\\(a\\)|írta|yazdı|написал|написала|написал\\(а\\)|пишет|писал|писала|' +
    'написав|написала|пише|έγραψε',
)

const wroteUnspaced = /(?:写道|寫道|写到|のメッセージ|書きました|からのメール|님이 작성|작성|쓴 글)/u

/** Whether a line says that somebody wrote what follows. */
export const saysWrote = (text: string): boolean => wrote.test(text) || wroteUnspaced.test(text)

/** Whether a line ends as what introduces a quote does: in a colon, or in that word. */
export function endsIntroduction(text: string): boolean {
  const end = text.slice(-40).replace(/[\s*-]+$/, '')
  return (
    /[:：]$/.test(end) ||
    /^(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|skrev|написал|написала|写道)$/i.test(
      end.split(/\s(?!écrit|scritto)/).at(-1) ?? '',
    )
  )
}

const forwarded =
  'forwarded (?:message|mail|e-?mail|text|by)|begin forwarded|weitergeleitete (?:nachricht|e-?mail|mail)|weitergeleitet von|' +
  'message transf[ée]r[ée]|(?:message|début du message) réexpédié|message réexpédié|transféré par|mensaje reenviado|reenviado por|' +
  'messaggio inoltrato|inoltrato da|mensagem (?:re)?encaminhada|doorgestuurd(?:e)? bericht|doorgestuurd door|videresendt?e? (?:meddelelse|besked|e-?mail|melding)|' +
  'videresendt (?:af|av)|vidarebefordra(?:t|de) (?:meddelande|brev|mejl)|(?:edelleen)?välitetty viesti|edelleenlähetetty|' +
  'przekazan[ae] (?:wiadomość|dalej)|wiadomość przekazana|přeposlaná zpráva|továbbított (?:üzenet|levél)|[iİ]letilen (?:mesaj|ileti)|' +
  'перес(?:ылаемое|ланное) (?:сообщение|письмо)|переадресован\\p{L}* сообщени\\p{L}|переслане повідомлення|προωθημένο μήνυμα|' +
  '转发(?:的)?(?:邮件|信息|消息)|转发邮件信息|轉寄(?:的)?(?:郵件|訊息)|転送(?:された)?(?:メッセージ|メール)|전달된 (?:메시지|메일)'

const original =
  "original (?:message|mail|e-?mail|appointment)|original-?nachricht|ursprüngliche (?:nachricht|mail|e-?mail)|message d[’']origine|message (?:original|initial)|" +
  'mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|origineel bericht|oprindelig (?:besked|meddelelse)|' +
  'opprinnelig (?:melding|e-?post)|ursprungligt meddelande|originalmeddelande|alkuperäinen viesti|oryginalna wiadomość|' +
  'wiadomość oryginalna|původní (?:zpráva|e-?mail)|eredeti üzenet|özgün ileti|orijinal (?:mesaj|ileti)|исходное (?:сообщение|письмо)|' +
  'оригинальное сообщение|оригінальне повідомлення|αρχικό μήνυμα|原始邮件|原始郵件|元のメッセージ|원본 ?메(?:시지|일)|repl(?:y|ied) message|reply separator'

const decorated = (phrases: string) => new RegExp(`^[-–—_=*+#~]{1,60}\\s{0,3}(?:${phrases})`, 'iu')

const forwardLine = decorated(
  `(?:start of |start (?:på |på den )?|début (?:du )?|inicio (?:del )?|inizio (?:del )?|início (?:da )?|anfang (?:der )?|begin(?: van het)? )?(?:${forwarded})`,
)

/** Apple Mail writes it without a line: “Begin forwarded message:”. */
const forwardSentence = new RegExp(
  `^(?:begin forwarded (?:message|text)|anfang der weitergeleiteten (?:nachricht|e-?mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|` +
    `inizio (?:del )?messaggio inoltrato|início da mensagem (?:re)?encaminhada|begin (?:van )?(?:het )?doorgestuurd(?:e)? bericht|start på videresendte? \\p{L}+|` +
    `vidarebefordrat (?:brev|mejl|meddelande)|välitetty viesti alkaa|początek przekazywanej wiadomości|początek przekazanej wiadomości|začátek přeposílané zprávy|` +
    `начало перес(?:ы|)ла\\p{L}+ (?:сообщения|письма)|начало переадресованного сообщения|továbbított levél|[iİ]letilen mesajın başı|` +
    `开始转发的?邮件|開始轉寄的?郵件|転送(?:された)?メッセージ|転送されたメール|전달된 메시지)\\s{0,3}[:：]?$`,
  'iu',
)

const originalLine = decorated(original)

/** Whether a line begins what is forwarded. */
export const beginsForward = (line: string): boolean =>
  line.length <= maxMark && (forwardLine.test(line) || forwardSentence.test(line))

/** Whether a line begins the message that is answered, or forwarded. */
export const beginsOriginal = (line: string): boolean => line.length <= maxMark && originalLine.test(line)

const endLine =
  /^[-–—_=*+#~]{1,60}\s{0,3}(?:end|ende|fin|fine|fim|einde|slut|koniec|конец)\b.{0,30}(?:forwarded|weitergeleitet|transf|réexp|reenviad|inoltrat|encaminhad|doorgest|videresend|vidarebef|przekaz|перес)/iu

/** Whether a line ends what is forwarded. */
export const endsForward = (line: string): boolean => line.length <= maxMark && endLine.test(line)

const maxMark = 120

const sentFrom = new RegExp(
  `^(?:${[
    'sent (?:from|via|with|using) .{2,60}|get outlook for .{2,60}|get bluemail for .{2,40}',
    '(?:gesendet|versendet|verschickt) (?:von|mit|mittels|über|via|vom) .{2,60}|(?:diese nachricht wurde )?von meinem .{2,60} (?:gesendet|gesandt)\\.?|outlook für .{2,40}(?:herunterladen|holen)?|holen sie sich outlook .{2,40}',
    'envoyé (?:de|depuis|à partir|avec|via|par) .{2,60}|(?:télécharge[rz]|obtene[rz]|obtenir) outlook .{2,60}',
    'enviado (?:desde|do|da|de|a partir|pelo|através|con|com|via) .{2,60}|(?:obtén|obtener|obtenga|descargar|obter|obtenha|baixe) (?:o )?outlook .{2,60}',
    "inviato (?:da|dal|dall[’']|con|tramite) .{2,60}|(?:scarica|ottieni) outlook .{2,60}",
    '(?:verzonden|verstuurd|gestuurd) (?:vanaf|vanuit|met|via|van) .{2,60}|(?:download|outlook voor) .{0,20}outlook.{0,40}',
    'sendt (?:fra|med|via) .{2,60}|hent outlook .{2,60}|skickat (?:från|med|via) .{2,60}|hämta outlook .{2,60}',
    'lähetetty .{2,60}|hanki outlook .{2,60}|(?:wysłane|wysłano|wysłana) (?:z|ze|przy|za) .{2,60}|pobierz outlook .{2,60}|uzyskaj outlook .{2,60}',
    "(?:odesláno|posláno) z .{2,60}|(?:el)?küldve .{2,60}|.{2,40} (?:telefonomról|készülékemről) küldve|.{2,40}[’'].{2,6} gönderildi|.{2,40} gönderildi",
    'отправлено (?:с|из|от|через) .{2,60}|(?:получите|скачать|скачайте) outlook .{2,60}|надіслано (?:з|із|від) .{2,60}',
    '(?:发自|發自|傳送自|从|從) ?.{2,40}|.{2,40}から送信|.{2,40}에서 보(?:냄|낸)',
  ].join('|')})$`,
  'iu',
)

/** Whether a line is what a telephone or a mail program puts below a message. */
export const isSentFrom = (line: string): boolean =>
  line.length <= 100 && line.split(/\s+/).length <= 12 && sentFrom.test(line)

const forwardSubject =
  /^\s{0,3}(?:\[[^\]\n]{0,60}\]\s{0,3})?(?:fwd?|wg|wtr|tr|rv|enc|i|doorst|vs|vb|vl|vidarebef|pd|tov|ilt|转发|轉寄|转|전달|転送)\s{0,3}[:：]/iu

/** Whether a subject says that the message forwards one. */
export const forwards = (subject: string): boolean => forwardSubject.test(subject)

function phrase(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}
