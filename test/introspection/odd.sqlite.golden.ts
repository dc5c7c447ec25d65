import { databaseDefault, f, many, one, resource, service } from "bifold"

export default service({
  name: "odd",
  resources: {
    account: resource({
      key: { column: "id", type: "integer" },
      fields: {
        tenant: f.integer({ stored: "loose" }),
      },
      relations: { bookings: many("booking", { by: "account" }) },
    }),

    address: resource({
      key: { column: "id", type: "integer" },
      fields: {
        street: f.text({ optional: true, stored: "loose" }),
      },
      relations: {
        country: one("country", { optional: true, column: "country_code" }),
        purchasesByBillingAddress: many("purchase", { by: "billingAddress" }),
        purchasesByShippingAddress: many("purchase", { by: "shippingAddress" }),
      },
    }),

    badge: resource({
      key: { column: "id", type: "integer" },
      fields: {
        number: f.text({ optional: true, unique: true, stored: "loose" }),
      },
      relations: { owner: one("person", { optional: true }) },
      unique: [["owner"]],
    }),

    blobKey: resource({
      key: false,
      fields: {
        hash: f.bytes({ stored: "loose" }),
        size: f.integer({ optional: true, stored: "loose" }),
      },
    }),

    booking: resource({
      key: { column: "id", type: "integer" },
      fields: {
        tenant: f.integer({ stored: "loose" }),
      },
      relations: { account: one("account", { optional: true }) },
    }),

    clash: resource({
      key: { column: "id", type: "integer" },
      fields: {
        person: f.text({ optional: true, stored: "loose" }),
        personId: f.text({ optional: true, column: "personId", stored: "loose" }),
      },
      relations: { personRecord: one("person", { optional: true, column: "person_id" }) },
    }),

    counter: resource({
      key: { column: "at", type: "int64", stored: "loose", given: true },
      fields: {
        total: f.integer({ stored: "loose" }),
      },
    }),

    country: resource({
      key: ["code"],
      fields: {
        code: f.text({ max: 2, stored: "loose" }),
        name: f.text({ unique: true, stored: "loose" }),
      },
      relations: {
        addresses: many("address", { by: "country" }),
        visas: many("visa", { by: "country" }),
      },
    }),

    customer: resource({
      key: { column: "CustomerID", type: "text", stored: "loose", given: true },
      fields: {
        company: f.text({ optional: true, stored: "loose" }),
      },
    }),

    dateRecord: resource({
      key: { column: "id", type: "integer" },
      table: "date",
      fields: {
        day: f.date({ optional: true, stored: "loose" }),
      },
    }),

    employee: resource({
      key: { column: "EmployeeId", type: "integer" },
      fields: {
        artist: f.text({ optional: true, stored: "loose" }),
      },
      relations: {
        reportsTo: one("employee", { optional: true, column: "ReportsTo" }),
        mentor: one("employee", { optional: true }),
        employeesByReportsTo: many("employee", { by: "reportsTo" }),
        employeesByMentor: many("employee", { by: "mentor" }),
      },
    }),

    hasRowid: resource({
      key: false,
      table: "has rowid",
      fields: {
        rowid: f.text({ optional: true, stored: "loose" }),
        note: f.text({ optional: true, stored: "loose" }),
      },
    }),

    holiday: resource({
      key: ["day"],
      fields: {
        day: f.date({ stored: "loose" }),
        name: f.text({ optional: true, stored: "loose" }),
      },
    }),

    keyless: resource({
      key: false,
      fields: {
        at: f.timestamp({ optional: true, stored: "loose" }),
        message: f.text({ optional: true, stored: "loose" }),
      },
    }),

    looseEnd: resource({
      key: { column: "id", type: "integer" },
      fields: {},
      relations: { person: one("person", { optional: true }) },
    }),

    membership: resource({
      key: ["person", "tag"],
      fields: {
        since: f.date({ optional: true, stored: "loose" }),
      },
      relations: {
        person: one("person"),
        tag: one("tag"),
      },
    }),

    news: resource({
      key: { column: "id", type: "integer" },
      fields: {
        headline: f.text({ optional: true, stored: "loose" }),
      },
    }),

    nodeRecord: resource({
      key: { column: "id", type: "integer" },
      table: "node",
      fields: {
        orValue: f.text({ optional: true, column: "or", stored: "loose" }),
        notValue: f.text({ optional: true, column: "not", stored: "loose" }),
      },
    }),

    nullableUnique: resource({
      key: false,
      fields: {
        code: f.text({ optional: true, stored: "loose" }),
        note: f.text({ optional: true, stored: "loose" }),
      },
    }),

    onlyReference: resource({
      key: false,
      fields: {},
      relations: { person: one("person") },
    }),

    openPurchase: resource({
      key: false,
      table: "open_purchases",
      readonly: true,
      rows: false,
      fields: {
        idValue: f.integer({ optional: true, column: "id", stored: "loose" }),
        status: f.text({ optional: true, stored: "loose" }),
        lines: f.integer({ optional: true, stored: "loose" }),
      },
    }),

    order: resource({
      key: { column: "Order Id", type: "integer" },
      table: "Order",
      fields: {
        select: f.text({ optional: true, stored: "loose" }),
        grosse: f.text({ optional: true, column: "Größe", stored: "loose" }),
        column2faCode: f.text({ optional: true, column: "2fa code", stored: "loose" }),
        u1f600: f.text({ optional: true, column: "😀", stored: "loose" }),
        u5e74: f.integer({ optional: true, column: "年", stored: "loose" }),
        itSQuoted: f.text({ optional: true, column: 'it\'s "quoted"', stored: "loose" }),
        andValue: f.text({ optional: true, column: "and", stored: "loose" }),
        userId: f.integer({ optional: true, stored: "loose" }),
        userId2: f.integer({ optional: true, column: "userId", stored: "loose" }),
        backSlash: f.text({ optional: true, column: "back\\slash", stored: "loose" }),
        typename: f.text({ optional: true, column: "__typename", stored: "loose" }),
      },
    }),

    orderRecord: resource({
      key: { column: "id", type: "integer" },
      table: "orders",
      fields: {
        note: f.text({ optional: true, stored: "loose" }),
      },
    }),

    parcel: resource({
      key: { column: "id", type: "integer" },
      fields: {
        purchaseId: f.integer({ readonly: true, stored: "loose" }),
        lineNumber: f.integer({ readonly: true, stored: "loose" }),
        label: f.text({ optional: true, stored: "loose" }),
      },
      relations: {
        purchaseLine: one("purchaseLine", { columns: { purchase_id: "purchase_id", line_number: "number" } }),
      },
    }),

    person: resource({
      key: { column: "id", type: "integer" },
      table: "people",
      fields: {
        name: f.text({ stored: "loose" }),
      },
      relations: {
        badge: one("badge", { by: "owner" }),
        clashes: many("clash", { by: "personRecord" }),
        looseEnds: many("looseEnd", { by: "person" }),
        memberships: many("membership", { by: "person" }),
        profile: one("profile", { by: "person" }),
        purchases: many("purchase", { by: "buyer" }),
        sessions: many("session", { by: "person" }),
        followees: many("person", {
          through: { table: "follow", near: { follower_id: "id" }, far: { followee_id: "id" } },
        }),
        followers: many("person", {
          through: { table: "follow", near: { followee_id: "id" }, far: { follower_id: "id" } },
        }),
      },
    }),

    profile: resource({
      key: { column: "person_id", type: "integer" },
      fields: {
        bio: f.text({ optional: true, stored: "loose" }),
      },
      relations: { person: one("person") },
    }),

    purchase: resource({
      key: { column: "id", type: "integer" },
      fields: {
        status: f.oneOf(["open", "paid", "it's done"], { default: "open", stored: "loose" }),
        note: f.text({ optional: true, stored: "loose" }),
      },
      relations: {
        billingAddress: one("address"),
        shippingAddress: one("address", { optional: true }),
        buyer: one("person", { optional: true, column: "buyer" }),
        purchaseLines: many("purchaseLine", { by: "purchase" }),
        tags: many("tag", { through: "purchase_tag" }),
      },
    }),

    purchaseLine: resource({
      key: ["purchase", "number"],
      fields: {
        number: f.integer({ stored: "loose" }),
        quantity: f.integer({ stored: "loose" }),
      },
      relations: {
        purchase: one("purchase"),
        parcels: many("parcel", { by: "purchaseLine" }),
      },
    }),

    queryRecord: resource({
      key: { column: "id", type: "integer" },
      table: "query",
      fields: {
        text: f.text({ optional: true, stored: "loose" }),
      },
    }),

    sample: resource({
      key: false,
      fields: {
        at: f.timestamp({ stored: "loose" }),
        sensor: f.integer({ stored: "loose" }),
        value: f.float({ optional: true, stored: "loose" }),
      },
    }),

    search: resource({
      key: false,
      readonly: true,
      rows: false,
      fields: {
        title: f.text({ optional: true, stored: "cast" }),
        body: f.text({ optional: true, stored: "cast" }),
      },
    }),

    session: resource({
      key: { column: "id", type: "text", stored: "loose", given: true },
      fields: {},
      relations: { person: one("person") },
    }),

    setting: resource({
      key: ["key"],
      fields: {
        key: f.text({ stored: "loose" }),
        value: f.text({ optional: true, stored: "loose" }),
      },
    }),

    sheep: resource({
      key: { column: "id", type: "integer" },
      fields: {
        wool: f.text({ optional: true, stored: "loose" }),
      },
    }),

    status: resource({
      key: { column: "id", type: "integer" },
      table: "statuses",
      fields: {
        label: f.text({ optional: true, stored: "loose" }),
      },
    }),

    stray: resource({
      key: { column: "id", type: "integer" },
      fields: {
        goneId: f.integer({ optional: true, stored: "loose" }),
        logId: f.integer({ optional: true, stored: "loose" }),
      },
    }),

    strictType: resource({
      key: { column: "id", type: "integer" },
      table: "strict_types",
      fields: {
        i: f.integer({ optional: true }),
        i2: f.integer(),
        r: f.float({ optional: true }),
        t: f.text({ optional: true }),
        b: f.bytes({ optional: true }),
        anything: f.text({ optional: true, stored: "cast" }),
        choice: f.oneOf(["a", "b"]),
      },
      unique: [["i2", "choice"]],
      indexes: [["choice", "i"]],
    }),

    table2024Sale: resource({
      key: { column: "id", type: "integer" },
      table: "2024 sales",
      fields: {
        amount: f.float({ optional: true, stored: "loose" }),
      },
    }),

    tag: resource({
      key: { column: "id", type: "integer" },
      fields: {
        name: f.text({ unique: true, stored: "nocase" }),
      },
      relations: {
        memberships: many("membership", { by: "tag" }),
        purchases: many("purchase", { through: "purchase_tag" }),
      },
    }),

    tenantItem: resource({
      key: ["tenant", "idValue"],
      fields: {
        tenant: f.integer({ stored: "loose" }),
        idValue: f.integer({ column: "id", stored: "loose" }),
        name: f.text({ optional: true, stored: "loose" }),
      },
      relations: {
        tenantLinkByFromTenantItem: one("tenantLink", { by: "fromTenantItem" }),
        tenantLinksByToTenantItem: many("tenantLink", { by: "toTenantItem" }),
      },
    }),

    tenantLink: resource({
      key: ["tenant", "fromId"],
      fields: {
        tenant: f.integer({ stored: "loose" }),
        fromId: f.integer({ stored: "loose" }),
        toId: f.integer({ optional: true, readonly: true, stored: "loose" }),
      },
      relations: {
        fromTenantItem: one("tenantItem", { columns: { tenant: "tenant", from_id: "id" } }),
        toTenantItem: one("tenantItem", { optional: true, columns: { tenant: "tenant", to_id: "id" } }),
      },
    }),

    token: resource({
      key: { column: "token_uuid", type: "uuid", stored: "loose", given: true },
      fields: {
        scope: f.text({ optional: true, stored: "loose" }),
      },
    }),

    type: resource({
      key: { column: "id", type: "integer" },
      table: "types",
      fields: {
        i: f.integer({ optional: true, stored: "loose" }),
        i2: f.integer({ optional: true, stored: "loose" }),
        i3: f.integer({ optional: true, stored: "loose" }),
        big: f.int64({ optional: true, stored: "loose" }),
        big2: f.int64({ optional: true, stored: "loose" }),
        big3: f.int64({ optional: true, stored: "loose" }),
        wide: f.int64({ optional: true, stored: "loose" }),
        f: f.float({ optional: true, stored: "loose" }),
        f2: f.float({ optional: true, stored: "loose" }),
        f3: f.float({ optional: true, stored: "loose" }),
        d: f.decimal({ optional: true, precision: 10, scale: 2, stored: "loose" }),
        d2: f.decimal({ optional: true, stored: "loose" }),
        d3: f.decimal({ optional: true, precision: 5, scale: 0, stored: "loose" }),
        money: f.decimal({ optional: true, stored: "loose" }),
        b: f.boolean({ optional: true, stored: "loose" }),
        b2: f.boolean({ optional: true, stored: "loose" }),
        day: f.date({ optional: true, stored: "loose" }),
        clock: f.time({ optional: true, stored: "loose" }),
        moment: f.timestamp({ optional: true, stored: "loose" }),
        moment2: f.timestamp({ optional: true, stored: "loose" }),
        t: f.text({ optional: true, stored: "loose" }),
        t2: f.text({ optional: true, max: 20, stored: "loose" }),
        t3: f.text({ optional: true, max: 160, stored: "loose" }),
        t4: f.text({ optional: true, max: 7, stored: "loose" }),
        t5: f.text({ optional: true, stored: "loose" }),
        t6: f.text({ optional: true, stored: "cast" }),
        t7: f.text({ optional: true, stored: "cast" }),
        j: f.json({ optional: true, stored: "loose" }),
        u: f.uuid({ optional: true, stored: "loose" }),
        u2: f.uuid({ optional: true, stored: "loose" }),
        raw: f.bytes({ optional: true, stored: "loose" }),
        raw2: f.bytes({ optional: true, stored: "loose" }),
        odd: f.text({ optional: true, stored: "cast" }),
        doubled: f.integer({ optional: true, generated: true, stored: "loose" }),
        kept: f.text({ optional: true, generated: true, stored: "loose" }),
        given: f.text({ default: "x", stored: "loose" }),
        made: f.timestamp({ optional: true, default: databaseDefault, stored: "loose" }),
        emptyChoice: f.text({ optional: true, stored: "loose" }),
      },
    }),

    u1f643: resource({
      key: { column: "id", type: "integer" },
      table: "🙃",
      fields: {
        mood: f.text({ optional: true, stored: "loose" }),
      },
    }),

    uniqueOnly: resource({
      key: ["code"],
      fields: {
        code: f.text({ stored: "loose" }),
        alias: f.text({ optional: true, unique: true, stored: "loose" }),
        note: f.text({ optional: true, stored: "loose" }),
      },
    }),

    visa: resource({
      key: { column: "id", type: "integer" },
      fields: {
        countryName: f.text({ optional: true, readonly: true, stored: "loose" }),
      },
      relations: { country: one("country", { optional: true, columns: { country_name: "name" } }) },
    }),
  },
  managed: false,
})
