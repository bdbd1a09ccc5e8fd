// The words that turn a statement into another one, in sixteen languages, as data: what negates, doubts, limits and compares.
//
// Five rows a language, their columns between `/`:
//   1 words by which the language is told from others
//   2 not / words that deny in themselves / except
//   3 doubts and plans / what may stand for them / if / what may stand for it
//   4 all / only / the most / some, nearly / what may stand for that / one of the
//   5 more / less / by / and, but / words that have a side each: because, than, before
// `_` joins the words of a phrase, `*` is any letters. What may stand for another word raises no flag of its own.

import { once, remember } from '../../../core/text/words/remember.ts'
import { unitOf } from '../../../core/text/words/value-words.ts'

const data = `
en
the of and is was were to in that with for on by from are has had a an at it be will this which
not never none neither nor nobody nothing without cannot no *n't hardly / forbid* forbade ban banned prohibit* lack* fail* refus* reject* den* declin* prevent* unable impossible illegal invalid exclud* omit* absent missing empty closed stop stopped ceas* cancel* avoid* free_of un(?!der|til|i|less|like|cle|to|a?n)* in*able in*ible im*ible non* disallow* disabl* disapprov* disagree* zero too_* hard_to rather_than instead_of free useless harmless worthless / except* unless excluding apart_from other_than with_the_exception save_for but_not aside_from only_if everywhere_but everyone_but everything_but all_but save_in
may might could allegedly reportedly supposedly purportedly apparently possibly perhaps probably presumably according_to plan*_to intend*_to expected_to hope*_to aim*_to propos* suspect* suggest* appear*_to seem* rumou* claim* believ*_to said_to thought_to is_considering likely potentially would should / can able allowed permitted possib* potential* chance risk plan* intend* intention expect* project* estimate* forecast* aim* hope* likel* thought think* said say* report* alleg* appear* suspect* suggest* seem* consider* propos* believ* per view* opinion argu* assum* uncertain unclear unproven maybe hypothes* scheduled due target* might word_is / if unless provided_that provided only_when as_long_as on_condition subject_to in_case assuming depending / when* where* in_case in_the_event once during while until after without require* need* condition* must depend* subject_to as_long_as
all every each always everyone everybody entire* whole completely fully any / only sole* exclusiv* alone just nothing_but no_one_else unique* / most largest biggest smallest highest lowest best worst oldest newest youngest longest shortest fastest tallest first leading *iest greatest top cheapest strongest / some several many few almost nearly partly partially often sometimes usually mostly generally typically about_half half most rarely occasionally majority minority normally ordinarily commonly customarily as_a_rule in_most_cases / part* number_of various certain number* proportion share *% percent than tend* common* more once frequent* regular* limited least / one_of among some_of second third
more over above exceed* at_least minimum larger greater higher longer / less fewer under below at_most up_to maximum smaller lower shorter not_as not_so / by / and but while whereas / because than before after since to caused causes led leads into therefore so hence followed precedes preceded resulted due
de
der die das und ist war nicht ein eine mit von für auf den dem des sich auch wird wurde werden an bei aus um über unter im am zu zum zur er sie es ihr ihre sein
nicht nie niemals kein* nichts niemand weder ohne kaum nirgends / verboten* verbiet* verbot* untersag* verweiger* lehn* ablehn* abgelehnt* fehl* mangel* verhinder* unmöglich* ungültig* ausgeschlossen* geschlossen* leer* frei_von un(?![dsti])* statt kostenlos* kostenfrei* gratis umsonst *los *lose *losen / außer ausgenommen mit_ausnahme abgesehen_von es_sei_denn ausschließlich_der sofern_nicht bis_auf
könnte* dürfte* angeblich* mutmaßlich* vermutlich möglicherweise vielleicht wahrscheinlich laut soll sollen offenbar anscheinend plant planen geplant beabsichtig* erwartet erwägt scheint voraussichtlich würde* / kann können darf dürfen möglich* möglichkeit plan* soll* erlaubt gestattet absicht* vorhaben erwart* hoff* schätz* gilt nach vermut* berichte* behaupt* zufolge aussage* meint glaub* hält annahme prognos* eventuell vorgesehen verdacht* / wenn falls sofern solange vorausgesetzt unter_der_bedingung / bei im_falle sobald während nur nach bedingung* erst muss müssen voraussetz*
alle* jede* jeder* immer sämtlich* ganz* vollständig* stets nie kein* niemand / nur ausschließlich* allein* einzig* lediglich / größte* kleinste* höchste* niedrigste* beste* schlechteste* älteste* jüngste* längste* kürzeste* schnellste* erste* meiste* führend* wichtigste* teuerste* / einige* manche* viele* wenige* fast beinahe nahezu teilweise oft manchmal meist* gewöhnlich überwiegend mehrheitlich hälfte selten mehrere* etliche* normalerweise in_der_regel gemeinhin / teil* anzahl reihe gewisse* mehrheit häufig prozent % gelegentlich zumeist üblicherweise regelmäßig paar / eine*_der zu_den unter_den gehört
mehr über mindestens größer höher länger übersteigt / weniger unter höchstens maximal kleiner niedriger kürzer bis_zu nicht_so / von durch / und aber während / weil als vor nach wegen deshalb daher zu bis führte führt verursachte verursacht folgte
nl
de het een van en is was niet met voor op dat zijn wordt werd te
niet nooit geen niets niemand noch zonder nergens nauwelijks / verboden verbied* verbod weiger* ontbre* mislukt* afgewezen* onmogelijk* ongeldig* uitgesloten gesloten leeg on(?![dstz])* gratis *loos *loze / behalve uitgezonderd tenzij met_uitzondering afgezien_van op_na uitgezonderd
kan_zijn zou zouden mogelijk* misschien vermoedelijk waarschijnlijk naar_verluidt vermeend* volgens blijkbaar kennelijk plant van_plan verwacht overweegt lijkt zogenaamd* / kan kunnen mag mogen mogelijk* plan* toegestaan verwacht* hoop* hoopt zeg* gezegd meent geloof* beweer* vermoed* schat* voornemen / als indien mits zolang op_voorwaarde / bij wanneer zodra tijdens alleen na moet moeten voorwaarde* in_geval
alle* elk* ieder* altijd heel* volledig* steeds nooit geen niemand / alleen enkel uitsluitend slechts enige* / grootste kleinste hoogste laagste beste slechtste oudste jongste langste kortste snelste eerste meeste belangrijkste / sommige* enkele* vele veel weinig bijna haast gedeeltelijk vaak soms meestal gewoonlijk helft zelden meerdere verscheidene doorgaans normaal normaliter / deel aantal meerderheid procent % geregeld regelmatig paar / een_van_de onder_de behoort
meer boven minstens ten_minste groter hoger langer / minder onder hoogstens maximaal kleiner lager korter tot niet_zo / door / en maar terwijl / omdat dan voor na vanwege daarom naar tot veroorzaakte veroorzaakt leidde leidt volgde
fr
le la les l de d des du et est une un dans il elle ce se son sa pour que qui sur par au aux avec a été sont
pas ne jamais aucun* ni rien personne sans nulle nullement guère / interdi* interdit* refus* rejet* nie nient manqu* échou* empêch* impossible* invalide* exclu* fermé* vide* dépourvu* absen* in*able* gratuit* inutil* / sauf excepté hormis à_moins à_l'exception en_dehors hors mis_à_part
pourrait pourraient peut-être probablement prétendument apparemment possiblement selon d'après prévoit prévoient envisage* compte serait seraient aurait auraient semble* présumé* supposé* éventuellement devrait / peut peuvent possible* possibilité autoris* permis prév* projet* attend* espèr* estim* dit croi* affirm* soupçonn* pense* vraisemblabl* jug* prétend* intention* / si s'il s'ils pourvu à_condition tant_que dans_la_mesure / quand lorsqu* en_cas une_fois pendant après sans dès condition* doit doivent
tous tout toute toutes chaque toujours entier* entière* complètement totalement jamais aucun* / seul* seulement uniquement exclusivement ne_que / plus_grand* plus_petit* plus_haut* plus_ancien* plus_long* plus_rapide* meilleur* pire* premier* première* principal* le_plus la_plus les_plus / certain* quelques plusieurs beaucoup presque partiellement souvent parfois généralement plupart moitié rarement peu habituellement normalement d'ordinaire d'habitude / part partie nombre majorité % pour_cent fréquemment régulièrement divers* environ / l'un* un_des une_des parmi
plus au_moins supérieur* dépasse* minimum / moins inférieur* au_plus jusqu'à maximum pas_aussi pas_autant / par / et mais tandis / parce que avant après car vers à causé provoqué entraîné suivi
es
el la los las al de y que en un una es por con del para se al fue su no como
no nunca ningún ninguna ninguno nadie nada sin tampoco jamás ni apenas / proh[ií]b* niega* negó rechaz* falt* carec* imped* imposible* inválid* exclu* cerrad* vací* in*ible* gratuit* gratis inútil* / excepto salvo menos_los a_menos con_excepción a_excepción aparte_de a_excepción quitando
podría podrían puede_que quizá* tal_vez probablemente presunt* supuest* aparentemente posiblemente según planea* prevé* pretende* espera* sería* parece* habría* debería / puede pueden posib* permit* plan* previst* proyect* esper* estim* dice* dijo cree* afirm* sospech* considera* probable* intenci* / si siempre_que a_condición con_tal en_caso mientras / cuando una_vez durante al tras después condición debe* solo
todos todas todo toda cada siempre entero* entera completamente totalmente nunca ningún ninguno ninguna nadie / solo sólo solamente únicamente exclusivamente único* única* / mayor mejor peor primer* más_grande más_alto más_antigu* más_larg* más_rápid* principal* el_más la_más los_más / algunos algunas varios varias muchos muchas pocos pocas casi parcialmente menudo veces generalmente mayoría mitad raramente normalmente habitual* por_lo_general / parte número proporción % por_ciento frecuente* ciertos ciertas diversos / uno_de una_de entre
más superior* supera* al_menos mínimo / menos inferior* como_máximo hasta máximo no_tan no_tanto / por / y e pero mientras / porque que antes después tras debido a hacia causó provocó siguió
it
il la lo gli le di e che è un una per con del della in nel sono dei da si non
non mai nessun* niente nulla né senza / viet* proib* rifiut* neg* respin* manc* imped* impossibil* invalid* esclus* chius* vuot* gratuit* gratis inutil* / tranne eccetto salvo a_meno ad_eccezione fatta_eccezione a_parte escluso esclusi esclus*
potrebbe* forse probabilmente presunt* presumibilmente apparentemente possibilmente secondo prevede* intend* sembra* sarebbe* avrebbe* dovrebbe* pianific* / può possono possib* permess* consent* pian* previst* prog* sper* stim* dice* detto crede* sostiene* sospett* ritien* probabil* eventual* intenzion* / se purché a_condizione qualora a_patto finché / quando nel_caso in_caso una_volta durante dopo condizion* deve devono solo
tutti tutte tutto tutta ogni sempre inter* completamente totalmente mai nessun* / solo soltanto solamente unicamente esclusivamente unic* / maggior* miglior* peggior* primo primi più_grande più_alt* più_antic* più_lung* più_veloc* principal* il_più la_più / alcun* divers* molt* poch* quasi parzialmente spesso volte generalmente metà raramente solitamente parecch* normalmente di_norma di_solito abitual* / parte numero maggioranza % per_cento qualche cert* / uno_dei una_delle tra_i tra_le fra_i
più oltre superior* supera* almeno minimo / meno inferior* al_massimo fino massimo non_così non_tanto / da dal dalla / e ed ma mentre / perché che prima dopo poiché a verso causò causato provocò seguì
pt
o a os as às ao de e que em um uma é do da para com não por no na foi são se
não nunca nenhum* ninguém nada sem nem jamais / pro[ií]b* recus* neg* rejeit* falt* imped* impossív* inválid* exclu* fechad* vazi* gratuit* grátis inútil inúteis / exceto salvo a_menos com_exceção à_exceção fora à_parte tirando
poderia* poderá talvez provavelmente supost* alegad* aparentemente possivelmente segundo planeia* planeja* prevê pretende* espera* seria* teria* parece* deveria* / pode podem possív* possib* permit* plan* previst* proj* esper* estim* diz* disse acredit* afirm* suspeit* considera* prováve* intenç* tenciona* / se desde_que caso contanto enquanto / quando uma_vez durante após depois condição deve* só
todos todas todo toda cada sempre inteir* completamente totalmente nunca nenhum* ninguém / só somente apenas unicamente exclusivamente únic* / maior melhor pior primeir* mais_alt* mais_antig* mais_long* mais_rápid* principa* o_mais a_mais / algun* vári* muit* pouc* quase parcialmente frequentemente vezes geralmente maioria metade raramente normalmente habitual* por_norma em_geral / parte número proporção % por_cento cert* divers* / um_dos uma_das entre
mais superior* supera* pelo_menos mínimo / menos inferior* no_máximo até máximo não_tão não_tanto / por pelo pela / e mas enquanto / porque que antes depois após devido para causou provocou seguiu
sv
och att det som en är på av för med den till inte ett har de om var i sig han hon
inte aldrig ingen inga inget ej utan varken knappt icke ingenting / förbj* förbud* vägra* avslog* avvisa* sakna* misslyck* förhindra* omöjlig* ogiltig* uteslut* stängd* tom tomt o(?![cmf])* gratis *lös *löst *lösa / utom förutom med_undantag såvida undantaget bortsett_från
kan_komma skulle kanske troligen förmodligen påstås påstådd* enligt möjligen tydligen uppges planerar avser väntas verkar eventuellt lär bör / kan får möjlig* plan* tillåt* vänta* hopp* uppskatt* säger sade tror anser misstänk* sannolik* avsikt* / om(?!_(?:året|dagen|dygnet|veckan|månaden)) ifall förutsatt så_länge under_förutsättning / när vid efter först under krävs villkor* måste
alla varje alltid hela allt samtliga helt aldrig ingen inga / bara endast enbart uteslutande enda / största minsta högsta lägsta bästa sämsta äldsta yngsta längsta kortaste snabbaste första flest viktigaste / några vissa många få nästan delvis ofta ibland vanligtvis oftast hälften sällan flera flesta normalt i_regel / del antal majoritet* procent % regelbundet par / en_av ett_av bland
mer över minst större högre längre / mindre under högst maximalt lägre kortare inte_lika inte_så / av / och men medan / eftersom än före efter innan därför till orsakade ledde följde
da
og at det som en er på af for med den til ikke et har de om var blev
ikke aldrig ingen intet uden hverken næppe ej / forbud* forbyd* næg* afvis* mangl* forhindr* umulig* ugyldig* udeluk* lukke* tom tomt gratis *løs *løst *løse / undtagen bortset_fra med_undtagelse medmindre på_nær
kunne måske sandsynligvis formentlig angivelig* ifølge muligvis tilsyneladende planlægger agter forventes synes eventuelt skulle / kan må mulig* plan* tillad* forvent* håb* anslå* siger sagde tror mener mistænk* formod* hensigt* / hvis såfremt forudsat så_længe på_betingelse / når ved efter først under kræv* betingelse* skal
alle hver altid hele alt samtlige helt aldrig ingen / kun udelukkende alene eneste / største mindste højeste laveste bedste værste ældste yngste længste korteste hurtigste første flest vigtigste / nogle visse mange få næsten delvist ofte undertiden normalt oftest halvdelen sjældent flere fleste normalt i_reglen / del antal flertal* procent % jævnligt par / en_af et_af blandt
mere over mindst større højere længere / mindre under højst maksimalt lavere kortere ikke_så ikke_lige / af / og men mens / fordi end før efter inden derfor til forårsagede førte fulgte
pl
i w na z się jest nie do że to o od dla po przez był była są a przy pod nad oraz ale który która które jak jego jej ich został została
nie nigdy żaden żadna żadne nikt nic bez ani / zabron* zakaz* odmów* odrzuc* brak* uniemożliw* niemożliw* nieważn* wyklucz* zamknięt* pust* nie(?!dziel|mie|któ|co)* bezpłatn* darmow* bez* / oprócz z_wyjątkiem poza chyba_że za_wyjątkiem
może mogą mógłby mogłaby mogłoby być_może prawdopodobnie rzekomo podobno według możliwe najwyraźniej planuje planują zamierza* oczekuje* wydaje powinien / można możliw* wolno plan* ocze* nadziej* szacu* mówi* twierdz* uważa* podejrz* przypuszcz* dozwolon* zdaniem zamiar* / jeśli jeżeli pod_warunkiem o_ile dopóki / gdy kiedy po w_przypadku podczas warun* musi muszą
wszyscy wszystk* każd* zawsze cał* całkowicie nigdy żaden nikt / tylko wyłącznie jedynie jedyn* / najwięk* najmniej* najwyż* najniż* najlep* najgor* najstar* najmłod* najdłuż* najkrót* najszyb* pierwsz* naj* / niektór* kilk* wiele wielu niewiel* prawie niemal częściowo często czasami zwykle większość połowa rzadko normalnie zazwyczaj z_reguły / część liczba procent % regularnie pewn* / jeden_z jedna_z jedno_z jednym_z wśród
więcej ponad powyżej co_najmniej większ* wyższ* dłuższ* / mniej poniżej najwyżej do mniejsz* niższ* krótsz* nie_tak nie_tyle / przez / i a ale podczas / bo ponieważ niż przed po dlatego do spowodował spowodowała
ru
и в на не что с по это как из у за от для был была было были его
не нет ни никогда никто ничто ничего без нельзя / запре* отказ* отверг* отклон* отсутств* невозможн* недействит* исключ* закрыт* пуст* лиш* не(?!дел|кот|ск|м|бо|т)* бесплатн* без* бес* / кроме за_исключением если_не помимо
может могут мог могла могло бы возможно вероятно якобы предположительно согласно по_словам по_данным видимо планирует планируют намерен* ожидается кажется наверное / можно возможн* план* разреш* ожида* надея* оцен* говор* сказал* счита* утвержд* подозрев* предпола* мнени* намерени* / если при_условии лишь_бы пока / когда при после случае только услов* долж* нужно
все всё всех каждый каждая каждое каждого всегда весь вся полностью никогда никто ни / только лишь исключительно единственн* / самый самая самое самые крупнейш* больш*ий наибольш* наимен* лучш* худш* старейш* перв* / некоторые некоторых несколько многие много мало почти частично часто иногда обычно большинство половина редко как_правило / часть число процент* % регулярно ряд определенн* / один_из одна_из одно_из одним_из среди
больше более свыше выше минимум / меньше менее ниже максимум до не_так не_столь / / и а но / потому чем до после перед поэтому из-за вызвал вызвала привел привела
tr
ve bir bu da de için ile olarak olan daha çok en gibi ya ise
değil yok hiç asla hiçbir olmadan *ma *me *madı *medi *maz *mez *mıyor *miyor *muyor *müyor *mayacak *meyecek *mamış *memiş *mamakta* *memekte* *madan *meden *madığı* *mediği* *mayan *meyen / yasak* redde* imkansız geçersiz kapalı boş *sız *siz *suz *süz ücretsiz* / hariç dışında
belki muhtemelen sözde iddia* göre *abilir *ebilir *abilir* *ebilir* planlıyor* olası gör* bekleniyor / mümkün olabil* izin plan* umu* tahmin* düşün* sanıl* niyet* iddia* söyle* hedef* söylü* / eğer takdirde şartıyla koşuluyla sürece *ırsa *irse *arsa *erse *ursa *ürse / zaman durumunda sonra sırasında
tüm bütün her herkes hepsi daima tamamen asla hiçbir / sadece yalnızca yalnız tek / en ilk birinci / bazı birkaç birçok az neredeyse kısmen sık bazen genellikle çoğu yarısı nadiren kimi / kısmı sayıda yüzde % çoğunluk / biri arasında
fazla üzerinde üstünde aşkın en_az / az altında en_fazla kadar_*_değil* / tarafından / ve ama / çünkü önce sonra yüzünden dolayı
zh
的 了 是 在 和 有 这 为 与 于
不 没 未 无 非 莫 / 禁止 拒绝 缺 失败 不可能 关闭 空 免费 闭 / 除 除非 以外 之外
可能 也许 或许 据称 据说 据报 似乎 大概 计划 打算 预计 有望 拟 涉嫌 疑似 认为 / 可以 能 会 允许 可 希望 估计 推测 猜测 想 预期 / 如果 若 只要 除非 假如 前提 / 时 当 情况 后 一旦 须
所有 全部 每 都 一切 总是 始终 任何 全(?!长|国|名|球|称) / 只有 仅 唯一 只 / 最 第一 首 / 一些 有些 部分 某些 许多 多数 少数 几乎 有时 经常 通常 大多 往往 半 / 一部分 若干 几 数 / 之一
多于 超过 以上 高于 大于 至少 / 少于 低于 以下 小于 至多 最多 没有.{1,8}[大高长多深快远重好强] / 被 由 / 、 ， / 因 由于 导致 先于 早于 晚于 高于 大于 低于 小于 比 到
ja
の に は を た が で て と し れ さ
ない なかった ません ず なし 未 非 / 禁止 拒否 不可能 欠 閉 空 無料 無 / 除 以外
かもしれない 可能性 だろう とされ らしい ようだ 予定 計画 見込み という によると によれば 思われ 疑い はず / できる 可能 許可 希望 推定 見通し 考え / もし れば たら 場合 限り なら / とき 時 後
すべて 全て 全(?!長|国|体|文|般) 毎 常に 必ず みんな いつも / だけ のみ 唯一 しか / 最 第一 初 一番 / 一部 いくつか 多く 少数 ほとんど ほぼ 時々 しばしば たいてい 大半 半 普通 / 数 若干 / の一つ のひとつ の1つ
以上 超 より多 より高 より大 少なくとも / 以下 未満 より少 より低 より小 最大 ほど.{1,8}ない / よって られ / 、 / から ため より まで 前に 後に
ko
은 는 이 가 을 를 의 에 에서 하고
않* 아니* 없* 못* 안 *않* *없* *못* *지않* / 금지* 거부* 거절* 불가* 실패* 닫* 무료* / 제외* *제외* 외에는 말고
*수_있* 아마* *듯* *것으로_보* *것_같* 예정* *예정* 계획* 추정* 알려* 따르면 *라고_한* 주장* 의혹* / 가능* 허용* 희망* 예상* 생각* *ㄹ_수 / 만약 *면 *한다면 경우 한 / 때 후 동안
모든 모두 전부 전체 매* 항상 언제나 누구나 / 만 오직 유일* *만 뿐 / 가장 최* 첫* 제일 / 일부* 몇* 많은 여러 거의 대부분 때때로 자주 보통 종종 절반 대체로 / 수 중 비율 % / 하나 중_하나 중의_하나
이상 초과 많* 크* / 이하 미만 적* 작* / 의해 / 그리고 하지만 / 때문* 보다 전에 후에
ar
في من على إلى أن التي الذي هذا كان عن مع و
لا لم لن ليس ليست غير بدون دون ما_لم / ممنوع* يمنع رفض* حظر* مستحيل مغلق* فارغ* مجان* / إلا باستثناء ماعدا عدا سوى
قد ربما يمكن يُزعم يزعم مزعوم* وفقا بحسب يبدو يعتزم* تعتزم* يخطط* تخطط* المتوقع محتمل* / يستطيع ممكن مسموح* خط* يتوقع* أمل* قال* يعتقد* / إذا لو شريطة بشرط / عند عندما بعد حال
جميع كل كافة دائما كلها / فقط وحد* الوحيد* حصرا / أكبر أصغر أعلى أفضل أول آخر أقدم أطول أسرع / بعض عدة كثير* قليل* تقريبا جزئيا غالبا أحيانا عادة معظم نصف نادرا / جزء عدد نسبة % / أحد إحدى واحد* بين
أكثر فوق يتجاوز / أقل تحت / / ثم لكن / لأن من قبل بعد بسبب إلى
`

const rows = [
  ['known'],
  ['not', 'denial', 'except'],
  ['doubt', 'maybe', 'if', 'when'],
  ['all', 'only', 'most', 'some', 'part', 'among'],
  ['more', 'less', 'by', 'and', 'link'],
] as const

type Class = (typeof rows)[number][number]

export type Language = {
  code: string
  /** Its script has no spaces: words are looked for anywhere. */
  isUnspaced: boolean
  /** Endings say who does what. */
  hasCases: boolean
  known: ReadonlySet<string>
  /** Finds the words of a class in a text in lower case. */
  words: Readonly<Record<Class, RegExp>>
  /** Whether a word is one of grammar, and no more. */
  isGrammar: (word: string) => boolean
  /** "not only" denies nothing. */
  notOnly: RegExp
}

/** Letters, by what is none: thousands of ranges for each word that has them would take longer to compile than to run. */
const anyLetters = '[^\\x00-&(-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]{0,30}'

const languages: readonly Language[] = data
  .trim()
  .split(/\n(?=[a-z]{2}\n)/)
  .map((block) => {
    const [code = '', ...lines] = block.split('\n')
    const isUnspaced = code === 'zh' || code === 'ja'
    const columns = rows.flatMap((names, row) => {
      const texts = (lines[row] ?? '').split('/')
      return names.map(
        (name: Class, at) => [name, (texts[at] ?? '').trim().split(/\s+/).filter(Boolean)] as const,
      )
    })
    const known = new Set(columns.find(([name]) => name === 'known')![1])
    // Most texts are in one or two languages, and what a language is told by takes no expression.
    const compile = once(() => compileWords(columns, { known, isUnspaced }))
    return {
      ...{ code, isUnspaced, known, hasCases: /pl|ru|tr|ja|ko/.test(code) },
      get words() {
        return compile().words
      },
      get notOnly() {
        return compile().notOnly
      },
      isGrammar: (word) => compile().isGrammar(word),
    }
  })

function compileWords(
  columns: readonly (readonly [Class, readonly string[]])[],
  { known, isUnspaced }: Pick<Language, 'known' | 'isUnspaced'>,
): Pick<Language, 'words' | 'isGrammar' | 'notOnly'> {
  const compiled = columns.map(([name, list]) => [name, finder(name, list, isUnspaced)] as const)
  const words = Object.fromEntries(compiled) as Language['words']
  const notOnly = new RegExp(`(?:${words.not.source})[\\s-]*(?:${words.only.source})`, 'gu')
  const light = (['not', 'if', 'all', 'only', 'some', 'more', 'less', 'by', 'and', 'link'] as const).map(
    (name) => words[name].source,
  )
  const grammar = new RegExp(`^(?:${light.join('|')})$`, 'u')
  const isGrammar = remember((word) => known.has(word) || grammar.test(word))
  return { words, notOnly, isGrammar }
}

const times = [...unitOf].filter(([, unit]) => /^(?:hour|day|week|month|year)$/.test(unit))
/** "each year" is "a year". */
const rate = `(?![\\s-]*(?:${times.map(([word]) => word).join('|')})(?!\\p{L}))`

/** Longer phrases first, so that what is found is the whole of one. */
function finder(name: Class, list: readonly string[], isUnspaced: boolean): RegExp {
  if (list.length === 0) return /(?!)/gu
  const any = list
    .toSorted((a, b) => b.length - a.length)
    .map((one) => one.replaceAll('*', anyLetters).replaceAll('_', '[\\s-]+'))
    .join('|')
  const [start, end] = isUnspaced ? ['', ''] : ["(?<![\\p{L}\\p{M}\\p{N}'’])", '(?![\\p{L}\\p{M}\\p{N}])']
  return new RegExp(`${start}(?:${any})${end}${name === 'all' ? rate : ''}`, 'gu')
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
]

/** Letters that few other languages have. */
const letters: Readonly<Record<string, RegExp>> = {
  ...{ pl: /[łżźśęąńć]/u, tr: /[ğşı]/u, de: /ß/u, es: /ñ/u },
  ...{ pt: /[ãõ]/u, sv: /[åäö]/u, da: /[æø]/u, fr: /[êèœ]/u },
}

/** The language of a text by its script and its commonest words; `fallback` where no other has more of them. */
export function languageOf(text: string, fallback: Language = languages[0]!): Language {
  const script = scripts.find(([letters]) => letters.test(text))
  if (script) return languages.find(({ code }) => code === script[1])!
  const hits = new Map<Language, number>()
  const hit = (language: Language) => hits.set(language, (hits.get(language) ?? 0) + 1)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu)) {
    for (const language of knownIn.get(word) ?? []) hit(language)
    if (!/^[a-z]+$/.test(word))
      for (const language of languages) if (letters[language.code]?.test(word)) hit(language)
  }
  let best = fallback
  const hitsOf = (language: Language) => (hits.get(language) ?? 0) + (language === fallback ? 1 : 0)
  for (const language of hits.keys()) if (hitsOf(language) > hitsOf(best)) best = language
  return best
}

/** Of each common word, the languages that have it. */
const knownIn = new Map<string, Language[]>()
for (const language of languages)
  for (const word of language.known) knownIn.set(word, [...(knownIn.get(word) ?? []), language])
