// Documents that the GraphQL clients of the tests ask, as their developers would write them.

export const productPage = /* GraphQL */ `
  query ProductPage($after: String, $first: Int = 10) {
    products(first: $first, after: $after, orderBy: [{ field: slug }]) {
      edges { cursor node { id slug name price etag } }
      pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
    }
  }
`

export const oneProduct = /* GraphQL */ `
  query OneProduct($id: ID!) { product(id: $id) { id slug name price etag } }
`

export const renameProduct = /* GraphQL */ `
  mutation RenameProduct($id: ID!, $input: ProductUpdateInput!, $ifMatch: String) {
    updateProduct(id: $id, input: $input, ifMatch: $ifMatch) { product { id slug name price etag } }
  }
`

export const createOrder = /* GraphQL */ `
  mutation CreateOrder($input: OrderCreateInput!) {
    createOrder(input: $input) { order { id number total } }
  }
`

export const followOrders = /* GraphQL */ `
  subscription FollowOrders { orderChanges { cursor kind order { id number note } } }
`

export interface Product {
  readonly __typename?: "Product"
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly price: string
  readonly etag: string
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

export interface ProductPage {
  readonly products: {
    readonly edges: readonly { readonly cursor: string; readonly node: Product }[]
    readonly pageInfo: PageInfo
  }
}

export interface RenamedProduct {
  readonly updateProduct: { readonly product: Product }
}

export interface CreatedOrder {
  readonly createOrder: { readonly order: { readonly id: string; readonly number: string } }
}

export interface FollowedOrder {
  readonly orderChanges: {
    readonly cursor: string
    readonly kind: string
    readonly order: { readonly id: string; readonly number: string; readonly note: string | null } | null
  }
}

/** Slugs of products, from one number to another. */
export const slugs = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `product-${String(from + index).padStart(2, "0")}`)
