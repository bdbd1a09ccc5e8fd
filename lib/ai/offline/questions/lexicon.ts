// Other words for the things and deeds that Void is about, tried when the owner's own words find too little: synonyms,
// and what a German or French question most likely calls them. Accents are left out, as words.ts leaves them out.

const groups = `
approve accept confirm|reject decline refuse deny|delete remove erase trash|backup copy|restore recover
token key password secret|model llm ai|import bring|export extract|search find|safe secure security private privacy
change edit modify update|task todo|offline disconnected|citation cite source evidence|draft pending proposal suggestion
buy purchase|cost price|phone telephone|meeting appointment|recipe cook|folder directory|crash kill|undo undone revert restore
install setup|link wikilink|deadline due|agent bot|stop cancel`

const translations = `
aufgabe task|aufgaben tasks|projekt project|projekte projects|verweis ref|quelle source|quellen sources|daten data
sichern backup back|sichere backup back|sicherung backup|sicherungskopie backup|speichern save data|gespeichert data stored
stromausfall power cut|absturz crash|wiederherstellen restore|loschen delete|losche delete|geloscht deleted|papierkorb trash
andern change|andert changes|anderung change|anderungen changes|genehmigen approve|genehmige approve|genehmigung approval
freigeben approve|freigabe approval|ablehnen reject|lehne reject|ablehnung reject|suche search|suchen search|finden find
zitat citation|zitate citations|zitieren cite|modell model|verbinden connecting|verbinde connecting|anschliessen connecting
importieren import|importiere import|sicherheit security|sicher security|datenschutz privacy|schlussel key|begleiter companion
frage question|fragen questions|stellen asking|ordner folder|kosten cost|fallig due|faellig due|miete rent|vertrag contract
vorschlag proposal|entwurf draft|offen open|erledigt done|prioritat priority|konto account|rezept recipe|besprechung meeting
tache task|taches tasks|projet project|projets projects|donnees data|sauvegarder backup back|sauvegarde backup
panne power cut|coupure cut|courant power|restaurer restore|supprimer delete|supprime delete|corbeille trash
modifier change|modification change|modifications changes|approuver approve|approbation approval|accepter approve
refuser reject|rejeter reject|chercher search|recherche search|trouver find|citation citation|modele model
connecter connecting|connecte connecting|importer import|securite security|confidentialite privacy|cle key|jeton token
jetons tokens|compagnon companion|poser asking|dossier folder|prix price|echeance due|loyer rent|contrat contract
brouillon draft|ouvert open|termine done|priorite priority|recette recipe|reunion meeting|espace space`

const others = new Map<string, string[]>()
for (const group of groups.trim().split(/[|\n]/)) {
  const words = group.split(' ')
  for (const word of words)
    others.set(
      word,
      words.filter((other) => other !== word),
    )
}
for (const entry of translations.trim().split(/[|\n]/)) {
  const [word = '', ...meanings] = entry.split(' ')
  others.set(word, [...(others.get(word) ?? []), ...meanings])
}

/** Other words for a lower-case word without accents; none for most. */
export function otherWords(word: string, stem: (word: string) => string): readonly string[] {
  return others.get(word) ?? byStem(stem).get(stem(word)) ?? []
}

function byStem(stem: (word: string) => string): Map<string, string[]> {
  return new Map([...others].map(([word, meanings]) => [stem(word), meanings]))
}
