/** Countries and faiths with their peoples, a line for each. */
export const peoples = `
america american americans
england english
britain british
france french
germany german germans
spain spanish
italy italian italians
china chinese
japan japanese
india indian indians
russia russian russians
canada canadian canadians
australia australian australians
mexico mexican mexicans
brazil brazilian brazilians
argentina argentine argentinian
kenya kenyan kenyans
nigeria nigerian nigerians
egypt egyptian egyptians
israel israeli israelis
ireland irish
scotland scottish
wales welsh
sweden swedish
norway norwegian
denmark danish
finland finnish
netherlands dutch
belgium belgian
switzerland swiss
austria austrian
poland polish
greece greek greeks
turkey turkish
portugal portuguese
iran iranian iranians
iraq iraqi
pakistan pakistani
korea korean koreans
vietnam vietnamese
africa african africans
europe european europeans
asia asian asians
ukraine ukrainian
hungary hungarian
romania romanian
cuba cuban
chile chilean
colombia colombian
peru peruvian
jewish jew jews judaism
christian christians christianity
muslim muslims islam islamic
`

/** Written for a name of several words. */
export const abbreviations: Readonly<Record<string, string>> = {
  US: 'United States',
  USA: 'United States',
  UK: 'United Kingdom',
  EU: 'European Union',
  UN: 'United Nations',
  NYC: 'New York City',
}
