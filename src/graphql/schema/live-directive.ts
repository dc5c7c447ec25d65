// The directive of queries whose answer is to last.
import { DirectiveLocation, GraphQLDirective, GraphQLFloat, GraphQLNonNull } from "graphql"

export const liveDirective = new GraphQLDirective({
  name: "live",
  description: "Answers the query, then tells what changes in the answer (JSON Patch), as it changes.",
  locations: [DirectiveLocation.QUERY],
  args: {
    interval: {
      type: new GraphQLNonNull(GraphQLFloat),
      default: { value: 1 },
      description: "Seconds between two answers, at the least.",
    },
  },
})
