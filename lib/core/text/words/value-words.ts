// Months, units, and the words of numbers in the languages that values are read in.

/** The months of the languages by their number, from 1: long and short, as they stand alone and beside a day. */
export const months: ReadonlyMap<string, number> = new Map(
  ['en', 'de', 'nl', 'fr', 'es', 'it', 'pt', 'sv', 'da', 'pl', 'ru', 'tr', 'cs', 'ar'].flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) => {
      const [alone, dated] = [{ month }, { month, day: 'numeric' } as const].map(
        (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }),
      )
      return Array.from({ length: 12 }, (_, at) => Date.UTC(2021, at, 15)).flatMap((day, at) =>
        [alone!, dated!].flatMap((format) =>
          format
            .formatToParts(day)
            .filter(({ type }) => type === 'month')
            .map(({ value }) => [value.toLowerCase().replace(/\.$/, ''), at + 1] as const)
            .filter(([name]) => /^\p{L}[\p{L}\p{M}]{2,}$/u.test(name)),
        ),
      )
    }),
  ),
)

/** Units, each as its name and the ways to write it. */
const units = `% percent pct prozent procent procento процент процента процентов パーセント 퍼센트 | $ usd dollar dollars dólares dólar dollari dolarów долларов доллара dolar доллар 美元 ドル 달러 | € eur euro euros евро avro 欧元 ユーロ 유로 | £ gbp pound pounds sterling lb lbs pfund livres libras | ¥ yen jpy 円 日元 | 元 yuan 人民币 | chf franken francs franchi francos franków франков フラン 法郎 | ₺ lira lirası liras lire | ₩ won 원 | złoty złotych zł | kronor kronen kroner крон korun | ₹ inr rupee rupees | ₽ rubles рублей рубля | km kilometer kilometers kilometre kilometres kilomètres kilómetros kilometri chilometri quilômetros quilómetros kilometrów километров километра 公里 千米 キロメートル キロ 킬로미터
| m meter meters metre metres mètres metros metri metrów метров метра metry 米 メートル 미터 | cm centimeter centimeters centimetre centimetres zentimeter centimètres centímetros | mm millimeter millimeters millimetre millimetres | mi mile miles meilen millas miglia milhas миль 英里 マイル | ft foot feet fuß pies piedi pied pieds pé pés voet fot fod stopa stopy stóp фут фута футов ayak 英尺 フィート 피트 | inch inches zoll pouces pulgadas pollici polegadas tum tommer cali дюймов inç 英寸 インチ 인치 | yard yards yarda yardas iarde jardas ярдов 码 ヤード 야드 | kg kilogram kilograms kilo kilos kilogramm kilogrammes kilogramos chilogrammi quilos килограммов 公斤 千克 キログラム 킬로그램 | g gram grams gramm grammes gramos grammi gramas граммов 克 グラム
| mg milligram milligrams | t ton tons tonne tonnes tonnen toneladas tonnellate ton тонн 吨 トン | oz ounce ounces unzen onces onzas once унций 盎司 オンス | l liter liters litre litres litros litri litrów литров литра litry 升 リットル 리터 | ml milliliter milliliters millilitre millilitres | gal gallon gallons gallonen galones galloni galões галлонов галлона galon 加仑 ガロン 갤런 | pint pints | hour hours h hr hrs stunde stunden heure heures hora horas ora ore uur uren timme timmar timer godzina godziny godzin часов часа saat 小时 時間 시간
| minute minutes min mins minuten minuto minutos minuti minuter minutter minut minuty минут минуты dakika 分钟 分 분 | second seconds sec secs sekunde sekunden secondes segundos secondi seconden sekunder sekund секунд saniye 秒 초 | ms millisecond milliseconds | day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen dagar dage dzień dni день дня дней gün 天 日間 일
| week weeks woche wochen semaine semaines semana semanas settimana settimane week weken vecka veckor uge uger tydzień tygodnie tygodni неделя недели недель hafta 周 週間 주 | month months monat monate monaten mois mes meses mese mesi mês maand maanden månad månader måned måneder miesiąc miesiące miesięcy месяц месяца месяцев ay 个月 か月 ヶ月 개월 | year years jahr jahre jahren an ans année années año años anno anni ano anos jaar år rok roku lata lat года год году лет yıl 年 년 | decade decades jahrzehnte décennies décadas decenni
| century centuries | hectare hectares ha hektar hectáreas ettari ettaro hectaren hektarów гектар гектара гектаров 公顷 ヘクタール 헥타르 | acre acres acri akr akry akrów акр акра акров dönüm 英亩 エーカー 에이커 | w watt watts | kw kilowatt kilowatts | mw megawatt megawatts | gw gigawatt gigawatts | v volt volts | hz hertz | mhz megahertz | ghz gigahertz | kb kilobyte kilobytes | mb megabyte megabytes | gb gigabyte gigabytes | tb terabyte terabytes | celsius c | fahrenheit f | kelvin | degree degrees grad degrés grados gradi | mph | kph`

/** Each way to write a unit, and its name. */
export const unitOf: ReadonlyMap<string, string> = new Map(
  units
    .split('|')
    .map((unit) => unit.trim().split(' '))
    .flatMap((words) => words.map((word) => [word, words[0]!] as const)),
)

export const multipliers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    100: 'hundred hundert 百',
    1000: 'thousand tausend mille mila mil duizend tusen tusind tysiąc tysiące tysięcy tys tsd тысяч тысячи тыс bin k 千',
    10000: '万 萬 만',
    1e6: 'million millions millionen mio mln millón millones milione milioni milhão milhões miljoen miljoner millioner milion miliony milionów miliona миллион миллиона миллионов млн milyon mn',
    1e8: '亿 億 억',
    1e9: 'billion billions bn b milliarde milliarden mrd milliard milliards miliardo miliardi miljard miljarder milliarder miliard miliardy miliardów миллиард миллиарда миллиардов млрд milyar',
    1e12: 'trillion trillions tn',
  }).flatMap(([factor, words]) => words.split(' ').map((word) => [word, Number(factor)] as const)),
)

/** Words that are something else in another of the languages are left out. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  `zero=0 null=0 two=2 zwei=2 deux=2 dos=2 dois=2 duas=2 twee=2 två=2 dwa=2 dwie=2 два=2 две=2 iki=2 three=3 drei=3 trois=3 tres=3 tre=3 três=3 drie=3 trzy=3 три=3 üç=3
four=4 vier=4 quatre=4 cuatro=4 quattro=4 quatro=4 fyra=4 cztery=4 четыре=4 dört=4 five=5 fünf=5 cinq=5 cinco=5 cinque=5 vijf=5 fem=5 pięć=5 пять=5 beş=5 six=6 sechs=6 seis=6 zes=6 seks=6 sześć=6 шесть=6 altı=6
seven=7 sieben=7 sept=7 siete=7 sette=7 sete=7 zeven=7 sju=7 syv=7 siedem=7 семь=7 yedi=7 eight=8 acht=8 huit=8 ocho=8 oito=8 åtta=8 otte=8 osiem=8 восемь=8 sekiz=8 nine=9 neun=9 nueve=9 nove=9 negen=9 nio=9 dziewięć=9 девять=9 dokuz=9
ten=10 zehn=10 dix=10 diez=10 dieci=10 dez=10 tien=10 dziesięć=10 десять=10 eleven=11 elf=11 onze=11 undici=11 twelve=12 zwölf=12 douze=12 doce=12 dodici=12 doze=12 twaalf=12 tolv=12 двенадцать=12 thirteen=13 fourteen=14 fifteen=15 fünfzehn=15 quinze=15 quince=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19
twenty=20 zwanzig=20 vingt=20 veinte=20 venti=20 vinte=20 twintig=20 tjugo=20 thirty=30 dreißig=30 trente=30 treinta=30 trenta=30 trinta=30 dertig=30 forty=40 vierzig=40 fifty=50 fünfzig=50 sixty=60 seventy=70 eighty=80 ninety=90`
    .split(/\s+/)
    .map((pair) => [pair.split('=')[0]!, Number(pair.split('=')[1])] as const),
)

/** By their places. */
export const ordinals =
  '_ _ second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

/** Minutes of the day. */
export const hours: ReadonlyMap<string, number> = new Map(
  Object.entries({ noon: 720, midday: 720, midnight: 0, mitternacht: 0, midi: 720, minuit: 0 }),
)
