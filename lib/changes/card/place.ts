/** An entity, or what refers to one, by its Space and id. */
export type Place = { space_id: string; id: string }

/** A key for a map of entities. The Space is part of it: nothing is found by its id alone. */
export const placeKey = ({ space_id, id }: Place): string => `${space_id}/${id}`

/** The Spaces and the ids of entities, each once, as queries for many of them take them. */
export const placesOf = (places: readonly Place[]): [spaceIds: string[], ids: string[]] => [
  [...new Set(places.map(({ space_id }) => space_id))],
  [...new Set(places.map(({ id }) => id))],
]

/** The place of what a change is about. */
export const targetOf = ({ space_id, entity_id }: { space_id: string; entity_id: string }): Place => ({
  space_id,
  id: entity_id,
})
