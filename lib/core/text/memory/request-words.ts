// The words of requests to remember and to forget, in the languages that are common. All are parts of regular
// expressions without groups that capture.

type RequestWords = {
  remember: string
  forget: string
  /** What stands between the verb and what it is about, with its blank. */
  that: string
  /** “this”, before a colon. */
  this?: string
  /** With what is remembered or forgotten right behind it, its blank included. */
  plainly?: string
  plainForget?: string
  /** Where the verb comes last; the first group is what it is about. */
  behind?: readonly { asks: 'remember' | 'forget'; clause: RegExp }[]
}

const notThat =
  '(?!(?:that|to|when|how|what|where|who|whom|why|which|if|whether|about|me|this|it|us)(?![\\p{L}\\p{N}]))'

export const languages: readonly RequestWords[] = [
  {
    remember:
      "remember(?:ing)?(?: for (?:me|later|next time))?|note(?: down)?|(?:keep|bear) in mind|(?:don['’]?t|do not|never) forget(?: for (?:me|later|next time))?|commit to memory|(?:save|add|store|put|write)(?: (?:this|it))?(?: down)? (?:to|in|into)(?: your| the| my)? memory|memori[sz]e",
    forget:
      "forget(?:ting)?|(?:no longer|do not|don['’]?t) remember|stop remembering|(?:remove|delete|erase|drop) from(?: your| the| my)? memory",
    that: 'that,? |(?:about )?the fact that ',
    this: '(?:this|that|the following)(?: (?:fact|about me|for me|for later))?',
    plainly: `remember to (?=(?:always|never) )|remember,? ${notThat}|(?:make a|take) note,? that |(?:(?:don['’]?t|do not|never) forget|(?:keep|bear) in mind),? (?=(?:i|i['’](?:m|ve|d)|my|we|our) )`,
    plainForget: `forget (?:(?:all|everything|what) (?:that )?(?:you (?:know|remember|have)|i (?:said|told you)) about |everything about |about )?(?!(?:to|how|when)(?![\\p{L}\\p{N}]))`,
  },
  {
    remember:
      'merke?(?: dir)?|merkt euch|merken(?: sie sich)?|du dir(?: bitte)? merken|sie sich(?: bitte)? merken|behalte?(?: im kopf)?|behalten sie|denke?(?: bitte)? (?:daran|dran)|denken sie(?: bitte)? (?:daran|dran)|erinnere? dich(?: daran)?|erinnern sie sich(?: daran)?|vergiss(?: bitte)? nicht|vergessen sie(?: bitte)? nicht|notiere?(?: dir)?|speichere?',
    forget: 'vergiss|vergessen(?: sie)?|vergesst',
    that: 'dass |daß ',
    this: '(?:folgendes|das|dies)',
    plainly: 'merke? dir(?: bitte)? (?!(?:das|die|den|dies|es|was|wie|wann|wo|ob)(?![\\p{L}\\p{N}]))',
    plainForget: 'vergiss (?=(?:meine?[mnrs]?|unsere?[mnrs]?) )(?!mein nicht)',
  },
  {
    remember:
      "souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|retiens|retenez|notez?|n['’]oubliez?(?: pas)?|ne pas oublier|mémorisez?|gardez? (?:en tête|en mémoire|à l['’]esprit)|sachez?",
    forget: 'oubliez?',
    that: "que |qu['’]",
    this: '(?:ceci|cela|ça)',
    plainForget: 'oubliez? (?=(?:mon|ma|mes|notre|nos) )',
  },
  {
    remember:
      'recuerd[ae]|recordad|acuérdate(?: de)?|acuérdese(?: de)?|no(?: te)? olvides(?: de)?|no(?: se)? olvide(?: de)?|anot[ae]|apunt[ae]|ten(?:ga)? (?:en cuenta|presente)|memoriza|memorice',
    forget: 'olvid[ae]|olvídate(?: de)?|olvídese(?: de)?',
    that: 'que ',
    this: '(?:esto|lo siguiente)',
    plainForget: '(?:olvid[ae]|olvídate de) (?=(?:mis?|nuestr[oa]s?) )',
  },
  {
    remember:
      'ricorda(?:ti)?|ricordi|ricordate|ricordarti|non (?:dimenticare|scordare|dimenticarti|scordarti)|tieni (?:a mente|presente)|annota|memorizza',
    forget: 'dimentica(?:ti)?|dimentichi|scorda(?:ti)?',
    that: 'che ',
    this: '(?:questo|ciò)',
    plainForget: 'dimentica (?=(?:il |la |i |le )?(?:mi[oae]|miei|nostr[oaie]) )',
  },
  {
    remember:
      'lembr[ae](?:[- ](?:te|se))?(?: de)?|recorda|record[ae]-(?:te|se)(?: de)?|não (?:te )?esqueças(?: de)?|não (?:se )?esqueça(?: de)?|anot[ae]|tenha em mente|tem em mente|memorize|memoriza|guard[ae]',
    forget: 'esqueça(?:-se)?(?: de)?|esquece(?:-te)?(?: de)?',
    that: 'que ',
    this: '(?:isto|isso|o seguinte)',
    plainForget: '(?:esqueça|esquece) (?=(?:o |a |os |as )?(?:meus?|minhas?|noss[oa]s?) )',
  },
  {
    remember:
      'onthoud|vergeet(?: (?:alsjeblieft|a\\.u\\.b\\.))? niet|denk er ?aan|houd er rekening mee|noteer|bewaar',
    forget: 'vergeet',
    that: 'dat ',
    this: '(?:dit|het volgende)',
    plainForget: 'vergeet (?=(?:mijn|ons|onze) )',
  },
  {
    remember: 'kom ihåg|minns|glöm inte(?: bort)?|lägg på minnet|tänk på|notera',
    forget: 'glöm(?: bort)?',
    that: 'att ',
  },
  {
    remember: 'husk(?: på)?|glem ikke|hugs|noter(?:e)?',
    forget: 'glem',
    that: 'at (?=(?:jeg|min|mit|mitt|mine|vi|vores|vår|vårt|våre|hun|han|de|det|den|der|du) )',
  },
  { remember: 'muista|muistathan|älä unohda|pidä mielessä|paina mieleesi', forget: 'unohda', that: 'että ' },
  {
    remember: 'pamiętaj(?:cie)?|zapamiętaj(?:cie)?|nie zapomnij(?:cie)?|nie zapominaj|miej na uwadze|zanotuj',
    forget: 'zapomnij(?:cie)?(?: o tym)?',
    that: 'że |iż ',
  },
  {
    remember: 'pamatuj(?: si)?|zapamatuj(?: si)?|nezapomeň|nezapomínej|měj na paměti',
    forget: 'zapomeň(?: na to)?',
    that: 'že ',
  },
  {
    remember:
      'запомни(?:те)?|помни(?:те)?|не забудь(?:те)?|не забывай(?:те)?|имей(?:те)? в виду|учти(?:те)?|запиши(?:те)?',
    forget: 'забудь(?:те)?(?: о том)?',
    that: 'что ',
    this: '(?:это|следующее)',
  },
  {
    remember:
      "запам['’ʼ]ятай(?:те)?|пам['’ʼ]ятай(?:те)?|не забудь(?:те)?|не забувай(?:те)?|май(?:те)? на увазі",
    forget: 'забудь(?:те)?(?: про те)?',
    that: 'що ',
  },
  {
    remember:
      'unutma(?:yın|yınız)?|hatırla(?:yın|yınız)?|aklında tut(?:un)?|not al(?:ın)?|(?:şunu|bunu) (?:hatırla|unutma|aklında tut)',
    forget: 'unut(?:un|unuz)?|(?:şunu|bunu) unut',
    that: 'ki ',
    behind: [
      {
        asks: 'remember',
        clause:
          /^(.*[dt][ıiuü]ğ\p{L}{1,9}) (?:unutma(?:yın|yınız)?|hatırla(?:yın|yınız)?|aklında tut(?:un)?)[.!]*$/iu,
      },
      { asks: 'forget', clause: /^(.*[dt][ıiuü]ğ\p{L}{1,9}) unut(?:un|unuz)?[.!]*$/iu },
    ],
  },
  {
    remember: 'تذك(?:ر|ّر|ري|روا)|لا تنس(?:ى|َ|ي|وا)?|احفظ(?:ي)?|سج(?:ل|ّل|لي)|ضع في (?:بالك|اعتبارك|ذهنك)',
    forget: 'انس(?:ى|َ|ي|وا)?|إنس(?:ى|ي)?',
    that: '(?:أن|أنّ|ان|بأن) |(?=(?:أن|ان|بأن)\\p{L})',
  },
  { remember: 'ת?זכו?ר(?:י|ו)?|אל תשכח(?:י|ו)?', forget: 'ת?שכח(?:י|ו)?', that: 'ש(?=\\p{L})' },
  {
    remember: 'याद (?:रखो|रखें|रखना|रखिए|रखिये)|मत (?:भूलो|भूलना)',
    forget: 'भूल (?:जाओ|जाएं|जाइए|जाना)',
    that: 'कि ',
  },
  {
    remember:
      '(?:记住|記住|牢记|牢記|记下|記下|记下来)(?:这个|這個|这点|一下)?|(?:记得|記得|别忘了|別忘了|不要忘记|不要忘記|别忘记)',
    forget: '(?:忘记|忘記|忘掉|忘了)',
    that: '(?=[我我们咱的你他她])',
    this: '(?:这个|這個|以下|这一点)',
    plainly: '(?:记住|記住|牢记|牢記)(?!(?:了|吗|嗎|它|这|這|那))',
    plainForget: '(?:忘记|忘記|忘掉)(?!(?:了|它|这|這|那))',
    behind: [
      {
        asks: 'forget',
        clause: /^(.+?)(?:这件事|這件事|的事)，?[请請]?(?:忘记|忘記|忘掉|忘了)吧?[。！.!]*$/u,
      },
    ],
  },
  {
    remember:
      '(?:これを|次のことを)?(?:覚えておいて|覚えて(?:いて)?|記憶して(?:おいて)?|メモして(?:おいて)?|忘れないで)(?:ください|下さい|ね|くれ)?',
    forget: '忘れて(?:ください|下さい|ね|くれ)?',
    that: '(?!)',
    plainly: '(?:覚えておいて|記憶して(?:おいて)?|忘れないで)(?:ください|下さい|ね|くれ)?[、，,。]\\s?',
    behind: [
      {
        asks: 'remember',
        clause:
          /^(.+?)(?:という)?(?:こと|事)?[をはと](?:覚えておいて|覚えて(?:いて)?|記憶して(?:おいて)?|忘れないで)(?:ください|下さい|ね|くれ|ほしい)?[。！.!]*$/u,
      },
      {
        asks: 'forget',
        clause: /^(.+?)(?:という)?(?:こと|事)?[をは]忘れて(?:ください|下さい|ね|くれ|ほしい)?[。！.!]*$/u,
      },
    ],
  },
  {
    remember:
      '(?:이것을 |다음을 )?(?:기억해|명심해|잊지 ?마|잊지 ?말아)(?: ?(?:줘|줘요|주세요|둬|두세요|라|요|세요))?',
    forget: '잊어(?: ?(?:줘|줘요|주세요|버려))?',
    that: '(?!)',
    plainly: '(?:기억해|명심해)(?: ?(?:줘|줘요|주세요|둬|두세요))?, ?',
    behind: [
      {
        asks: 'remember',
        clause:
          /^(.+ (?:것|걸|거|사실|점))[을를]? ?(?:기억해|명심해|잊지 ?마|잊지 ?말아)(?: ?(?:줘|줘요|주세요|둬|두세요|라|요|세요))?[.!]*$/u,
      },
      {
        asks: 'forget',
        clause: /^(.+ (?:것|걸|거|사실|점))[을를]? ?잊어(?: ?(?:줘|줘요|주세요|버려))?[.!]*$/u,
      },
    ],
  },
]

const programs = 'void|companion|assistant'

/** What may stand before a request, once. */
export const polite = new RegExp(
  `^(?:${[
    `(?:please|pls|plz|kindly|also|and|ok|okay|oh|hey|hi|hello|so|now|just|do|always|thanks|thank you|great|well|never mind|forget it|by the way|btw|${programs})[,:;!.]? (?:(?:${programs})[,:!] )?(?!not )`,
    '(?:from now on|for the future|for future reference|in (?:the )?future|for later|going forward|next time),? (?=\\p{L})',
    'would you mind |do me a favou?r and ',
    '(?:can|could|would|will|should|may|must) you (?:please |kindly |also |always )?',
    'you (?:can|may|should|must|need to|have to) (?:please |also |always )?',
    "(?:i want|i need|i['’]d like|i would like|i['’]d love) you to (?:please |always )?",
    '(?:make sure|be sure|try)(?: that)? (?:to |you )(?:always )?',
    '(?:bitte|ab jetzt|hallo|also|und|kannst|könntest|können|könnten|würdest|danke)[,:!]? (?=\\p{L})',
    "(?:s['’]il te pla[iî]t|s['’]il vous pla[iî]t|stp|svp|merci de|bonjour|salut|désormais|peux-tu|pouvez-vous|tu peux|veuillez)[,:!]? (?=\\p{L})",
    '(?:por favor|hola|a partir de ahora|puedes|podrías|puede)[,:!]? (?=\\p{L})',
    '(?:per favore|per piacere|ciao|d’ora in poi|puoi|potresti)[,:!]? (?=\\p{L})',
    '(?:olá|oi|a partir de agora|podes|pode|poderia)[,:!]? (?=\\p{L})',
    '(?:alsjeblieft|alstublieft|hallo|vanaf nu|kun je|wil je)[,:!]? (?=\\p{L})',
    '(?:snälla|hej|vær så snill|vennligst|venligst|proszę|prosím|пожалуйста|будь ласка|привет|lütfen|من فضلك|رجاءً|אנא|בבקשה|कृपया)[,:!]? (?=\\p{L})',
    '(?:请你?|請你?|麻烦你?|麻煩你?)',
  ].join('|')})`,
  'iu',
)

/** Behind a statement: that it is to be remembered. */
export const afterwards =
  /(?:,|;|:| [–—-]|，|、) ?(?:(?:and|so|und|et|y|e|en),? )?(?:please (?!remember[.!]*$)|bitte |por favor,? |per favore,? |请|請)?(?:(?:please|pls),? remember|remember (?:that|this|it)(?: for (?:me|later|next time))?|keep (?:that|this|it) in mind|(?:don['’]?t|do not) forget(?: (?:that|this|it))?|make a note of (?:that|this|it)|note (?:that|this|it)|merke? dir das|vergiss das nicht|souviens[- ]t['’]en|souviens[- ]toi de (?:ça|cela)|retiens[- ](?:le|ça)|ne l['’]oublie pas|recuérdalo|no lo olvides|ricordalo|ricordatelo|non dimenticarlo|lembre-se disso|não esqueças?(?: disso)?|onthoud dat|vergeet dat niet|запомни(?: это)?|zapamiętaj to|记住|記住|记住这一点|覚えておいて(?:ください)?)(?:,? (?:please|bitte|por favor|per favore|alsjeblieft))?[.!。！]*$/iu

/** For all Spaces. */
export const allSpaces = [
  '(?:in|for|across|within) (?:all|every|each)(?: of)?(?: (?:my|our|the))? spaces?',
  '(?:in|für) (?:allen?|jedem|jeden)(?: (?:meinen?|unseren?|den))? spaces?',
  '(?:dans|pour) (?:tous (?:mes|nos|les)|chaque) (?:spaces?|espaces?)',
  '(?:en|para) (?:todos (?:mis|nuestros|los)|cada) (?:spaces?|espacios?)',
  '(?:in|per) (?:tutti (?:i )?(?:miei |nostri |gli )?|ogni )(?:spaces?|spazi|spazio)',
  '(?:em|para) (?:todos os (?:meus |nossos )?|cada )(?:spaces?|espaços?)',
  '(?:in|voor) (?:al(?:le)?(?: mijn| onze)?|elke) (?:spaces?|ruimtes?)',
].join('|')

export const everywhere =
  'everywhere|überall|partout|en todas partes|ovunque|em todo o lado|em toda parte|overal'
