// The documents of a client, for relay-compiler; what it makes of them is run by the tests.
import { graphql } from "relay-runtime"

export const category = graphql`
  query shopCategoryQuery($id: ID!) {
    category(id: $id) { name ...shop_products }
  }
`

export const products = graphql`
  fragment shop_products on Category
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "shopProductsQuery") {
    products(first: $count, after: $cursor, orderBy: [{ field: slug }])
    @connection(key: "shop_products") {
      edges { node { slug ...shop_product } }
      pageInfo { endCursor hasNextPage }
    }
  }
`

export const product = graphql`
  fragment shop_product on Product @refetchable(queryName: "shopProductQuery") { name price etag }
`

export const rename = graphql`
  mutation shopRenameMutation($id: ID!, $input: ProductUpdateInput!, $ifMatch: String) {
    updateProduct(id: $id, input: $input, ifMatch: $ifMatch) { product { name price etag } }
  }
`

export const create = graphql`
  mutation shopCreateMutation($input: OrderCreateInput!) {
    createOrder(input: $input) { order { number total } }
  }
`

export const follow = graphql`
  subscription shopOrdersSubscription { orderChanges { cursor kind order { number note } } }
`
