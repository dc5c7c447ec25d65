import { databaseDefault, f, many, one, resource, service } from "bifold"

export default service({
  name: "odd",
  enums: {
    purchaseStatus: { values: ["open", "paid", "it's done"], description: "How far a purchase is." },
  },
  resources: {
    aNameOfSixtyThreeBytesWhichIsTheMostThatPostgresHa: resource({
      key: { column: "id", type: "integer", given: true },
      table: "a_name_of_sixty_three_bytes_which_is_the_most_that_postgres_has",
      fields: {
        aColumnOfSixtyThreeBytesWhichIsAsLongAsItCanBeNow: f.text({ optional: true }),
      },
    }),

    account: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        tenant: f.integer(),
      },
      relations: { bookings: many("booking", { by: "account" }) },
    }),

    address: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        street: f.text({ optional: true }),
      },
      relations: {
        country: one("country", { optional: true, column: "country_code" }),
        purchasesByBillingAddress: many("purchase", { by: "billingAddress" }),
        purchasesByShippingAddress: many("purchase", { by: "shippingAddress" }),
      },
    }),

    auditPerson: resource({
      key: { column: "id", type: "integer", given: true },
      table: { schema: "audit", name: "people" },
      fields: {},
      relations: { person: one("person", { optional: true }) },
    }),

    badge: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        number: f.text({ optional: true, unique: true }),
      },
      relations: { owner: one("person", { optional: true }) },
      unique: [["owner"]],
    }),

    booking: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        tenant: f.integer(),
      },
      relations: { account: one("account", { optional: true }) },
    }),

    clash: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        person: f.text({ optional: true }),
        personId: f.text({ optional: true, column: "personId" }),
      },
      relations: { personRecord: one("person", { optional: true, column: "person_id" }) },
    }),

    country: resource({
      key: ["code"],
      fields: {
        code: f.text({ max: 2, stored: "padded" }),
        name: f.text({ unique: true }),
      },
      relations: {
        addresses: many("address", { by: "country" }),
        visas: many("visa", { by: "country" }),
      },
    }),

    currency: resource({
      key: ["code"],
      fields: {
        code: f.text({ max: 3 }),
        digits: f.integer({ min: -32768, max: 32767 }),
      },
      relations: { purchases: many("purchase", { by: "currency" }) },
    }),

    dateRecord: resource({
      key: { column: "id", type: "integer", given: true },
      table: "date",
      fields: {
        day: f.date({ optional: true }),
      },
    }),

    employee: resource({
      key: { column: "employee_id", type: "integer", given: true },
      fields: {},
      relations: {
        reportsTo: one("employee", { optional: true, column: "reports_to" }),
        mentor: one("employee", { optional: true }),
        employeesByReportsTo: many("employee", { by: "reportsTo" }),
        employeesByMentor: many("employee", { by: "mentor" }),
      },
    }),

    entry: resource({
      key: { column: "id", type: "int64" },
      table: { schema: "audit", name: "entry" },
      fields: {
        at: f.timestamp({ default: databaseDefault }),
      },
      relations: { person: one("person", { optional: true, description: "Who did it." }) },
    }),

    exotic: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        address: f.text({ optional: true, readonly: true, stored: "unordered" }),
        net: f.text({ optional: true, readonly: true, stored: "unordered" }),
        card: f.text({ optional: true, readonly: true, stored: "unordered" }),
        span: f.text({ optional: true, readonly: true, stored: "unordered" }),
        cash: f.text({ optional: true, readonly: true, stored: "unordered" }),
        numbers: f.text({ optional: true, readonly: true, stored: "unordered" }),
        many: f.text({ optional: true, readonly: true, stored: "unordered" }),
        late: f.text({ optional: true, readonly: true, stored: "unordered" }),
        words: f.text({ optional: true, readonly: true, stored: "unordered" }),
        page: f.text({ optional: true, readonly: true, stored: "cast" }),
        fixed: f.text({ optional: true, max: 3, stored: "padded" }),
        bits: f.text({ optional: true, readonly: true, stored: "unordered" }),
        moreBits: f.text({ optional: true, readonly: true, stored: "unordered" }),
        place: f.text({ optional: true, readonly: true, stored: "unordered" }),
        area: f.text({ optional: true, readonly: true, stored: "unordered" }),
        system: f.text({ optional: true, readonly: true, stored: "cast" }),
        letter: f.text({ optional: true, readonly: true, stored: "cast" }),
        object: f.text({ optional: true, readonly: true, stored: "unordered" }),
        nets: f.list(f.text(), { optional: true, readonly: true, stored: "unordered" }),
        matrix: f.text({ optional: true, readonly: true, stored: "unordered" }),
        none: f.text({ optional: true, readonly: true, stored: "unordered" }),
        kind: f.text({ optional: true, readonly: true, stored: "unordered" }),
        nickname: f.text({ optional: true, readonly: true, stored: "folded" }),
        pairs: f.text({ optional: true, readonly: true, stored: "unordered" }),
      },
    }),

    keyless: resource({
      key: false,
      fields: {
        at: f.timestamp({ optional: true, stored: "local" }),
        message: f.text({ optional: true }),
      },
    }),

    looseEnd: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {},
      relations: { person: one("person", { optional: true }) },
    }),

    measured: resource({
      key: false,
      rows: false,
      fields: {
        at: f.date(),
        amount: f.integer({ optional: true }),
      },
    }),

    nodeRecord: resource({
      key: { column: "id", type: "integer", given: true },
      table: "node",
      fields: {
        orValue: f.text({ optional: true, column: "or" }),
        notValue: f.text({ optional: true, column: "not" }),
      },
    }),

    nullableUnique: resource({
      key: false,
      fields: {
        code: f.text({ optional: true }),
        note: f.text({ optional: true }),
      },
    }),

    onlyReference: resource({
      key: false,
      fields: {},
      relations: { person: one("person") },
    }),

    openPurchase: resource({
      key: false,
      description: "What is not done.",
      table: "open_purchases",
      readonly: true,
      rows: false,
      fields: {
        idValue: f.integer({ optional: true, column: "id" }),
        status: f.oneOf("purchaseStatus", { optional: true, stored: "cast" }),
        lines: f.int64({ optional: true, description: "How many." }),
      },
    }),

    order: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        note: f.text({ optional: true }),
      },
    }),

    order2: resource({
      key: { column: "id", type: "integer", given: true },
      table: "orders",
      fields: {
        note: f.text({ optional: true }),
      },
    }),

    orderRecord: resource({
      key: { column: "Order Id", type: "integer", given: true },
      table: "Order",
      fields: {
        select: f.text({ optional: true }),
        grosse: f.text({ optional: true, column: "Größe" }),
        column2faCode: f.text({ optional: true, column: "2fa code" }),
        u1f600: f.text({ optional: true, column: "😀" }),
        u5e74: f.integer({ optional: true, column: "年" }),
        itSQuoted: f.text({ optional: true, column: 'it\'s "quoted"' }),
        andValue: f.text({ optional: true, column: "and" }),
        userId: f.integer({ optional: true }),
        userId2: f.integer({ optional: true, column: "userId" }),
        name2: f.text({ optional: true, column: "Name" }),
        name: f.text({ optional: true }),
        backSlash: f.text({ optional: true, column: "back\\slash" }),
      },
    }),

    parcel: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        purchaseId: f.integer({ readonly: true }),
        lineNumber: f.integer({ readonly: true }),
        label: f.text({ optional: true }),
      },
      relations: {
        purchaseLine: one("purchaseLine", { columns: { purchase_id: "purchase_id", line_number: "number" } }),
      },
    }),

    person: resource({
      key: { column: "id", type: "integer", given: true },
      description: "Everybody we know.",
      table: "people",
      fields: {
        name: f.text({ description: "What they are called." }),
      },
      relations: {
        auditPeople: many("auditPerson", { by: "person" }),
        badge: one("badge", { by: "owner" }),
        clashes: many("clash", { by: "personRecord" }),
        entries: many("entry", { by: "person" }),
        looseEnds: many("looseEnd", { by: "person" }),
        profile: one("profile", { by: "person" }),
        purchases: many("purchase", { by: "buyer" }),
        sessions: many("session", { by: "person" }),
        tagsByDislikes: many("tag", { through: "dislikes" }),
        followees: many("person", {
          through: { table: "follow", near: { follower_id: "id" }, far: { followee_id: "id" } },
        }),
        followers: many("person", {
          through: { table: "follow", near: { followee_id: "id" }, far: { follower_id: "id" } },
        }),
        tagsByLikes: many("tag", { through: "likes" }),
      },
    }),

    profile: resource({
      key: { column: "person_id", type: "integer" },
      fields: {
        bio: f.text({ optional: true }),
      },
      relations: { person: one("person") },
    }),

    purchase: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        status: f.oneOf("purchaseStatus", { default: "open", stored: "cast" }),
        past: f.list(f.oneOf("purchaseStatus"), { optional: true, stored: "cast" }),
        channel: f.oneOf(["web", "shop"]),
        payment: f.oneOf(["card", "cash"], { optional: true }),
        note: f.text({ optional: true }),
      },
      relations: {
        billingAddress: one("address"),
        shippingAddress: one("address", { optional: true }),
        buyer: one("person", { optional: true, column: "buyer" }),
        currency: one("currency", { column: "currency" }),
        purchaseLines: many("purchaseLine", { by: "purchase" }),
        tags: many("tag", { through: "purchase_tag", description: "What a purchase is marked with." }),
      },
      indexes: [["channel", "buyer"]],
    }),

    purchaseLine: resource({
      key: ["purchase", "number"],
      fields: {
        number: f.integer(),
        quantity: f.integer(),
      },
      relations: {
        purchase: one("purchase"),
        parcels: many("parcel", { by: "purchaseLine" }),
      },
    }),

    region: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        name: f.text({ optional: true }),
      },
    }),

    sample: resource({
      key: false,
      fields: {
        at: f.timestamp(),
        sensor: f.integer(),
        value: f.float({ optional: true, stored: "single" }),
      },
    }),

    secret: resource({
      key: { column: "id", type: "integer", given: true },
      table: { schema: "hidden", name: "secret" },
      fields: {
        word: f.text({ optional: true }),
      },
    }),

    serial: resource({
      key: { column: "id", type: "integer" },
      table: "serials",
      fields: {
        number: f.integer({ default: databaseDefault }),
        fixed: f.int64({ readonly: true, default: databaseDefault }),
      },
    }),

    session: resource({
      key: { column: "id", type: "text", given: true },
      fields: {},
      relations: { person: one("person") },
    }),

    stray: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        code: f.text({ optional: true }),
      },
    }),

    table2024Sale: resource({
      key: { column: "id", type: "integer", given: true },
      table: "2024 sales",
      fields: {
        amount: f.float({ optional: true, stored: "single" }),
      },
    }),

    tag: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        name: f.text({ unique: true }),
      },
      relations: {
        peopleByDislikes: many("person", { through: "dislikes" }),
        peopleByLikes: many("person", { through: "likes" }),
        purchases: many("purchase", {
          through: "purchase_tag",
          description: "What a purchase is marked with.",
        }),
      },
    }),

    token: resource({
      key: { column: "id", type: "uuid" },
      fields: {
        scope: f.text({ optional: true }),
      },
    }),

    total: resource({
      key: false,
      table: "totals",
      readonly: true,
      rows: false,
      fields: {
        purchases: f.int64({ optional: true }),
      },
    }),

    truck: resource({
      key: false,
      fields: {
        plate: f.text({ optional: true }),
        wheels: f.integer({ optional: true }),
        load: f.integer({ optional: true }),
      },
    }),

    type: resource({
      key: { column: "id", type: "integer", given: true },
      table: "types",
      fields: {
        i2: f.integer({ optional: true, min: -32768, max: 32767 }),
        i4: f.integer({ optional: true }),
        i8: f.int64({ optional: true }),
        f4: f.float({ optional: true, stored: "single" }),
        f8: f.float({ optional: true }),
        n: f.decimal({ optional: true }),
        n2: f.decimal({ optional: true, precision: 10, scale: 2 }),
        n0: f.decimal({ optional: true, precision: 5, scale: 0 }),
        nn: f.decimal({ optional: true, precision: 5, scale: -2 }),
        ns: f.decimal({ optional: true, precision: 4, scale: 4 }),
        b: f.boolean({ optional: true }),
        t: f.text({ optional: true }),
        v: f.text({ optional: true }),
        v20: f.text({ optional: true, max: 20 }),
        d: f.date({ optional: true }),
        tm: f.time({ optional: true }),
        ts: f.timestamp({ optional: true, stored: "local" }),
        tz: f.timestamp({ optional: true }),
        u: f.uuid({ optional: true }),
        j: f.json({ optional: true }),
        jb: f.json({ optional: true }),
        raw: f.bytes({ optional: true }),
        ia: f.list(f.integer(), { optional: true }),
        ta: f.list(f.text(), { optional: true }),
        va: f.list(f.text({ max: 5 }), { optional: true }),
        na: f.list(f.decimal({ precision: 10, scale: 2 }), { optional: true }),
        tsa: f.list(f.timestamp(), { optional: true, stored: "local" }),
        em: f.text(),
        md: f.oneOf(["calm", "loud"], { optional: true }),
        pr: f.decimal({ optional: true, precision: 12, scale: 3 }),
        prs: f.list(f.decimal({ precision: 12, scale: 3 }), { optional: true }),
        total: f.integer({ optional: true, generated: true }),
        given: f.text({ default: "x" }),
      },
    }),

    u1f643: resource({
      key: { column: "id", type: "integer", given: true },
      table: "🙃",
      fields: {
        mood: f.text({ optional: true }),
      },
    }),

    uniqueOnly: resource({
      key: ["code"],
      fields: {
        code: f.text(),
        alias: f.text({ optional: true, unique: true }),
        note: f.text({ optional: true }),
      },
    }),

    user: resource({
      key: { column: "id", type: "integer", given: true },
      table: "users",
      fields: {
        email: f.text({ optional: true }),
      },
    }),

    userByEmail: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {},
    }),

    vehicle: resource({
      key: false,
      rows: false,
      fields: {
        plate: f.text({ optional: true }),
        wheels: f.integer({ optional: true }),
      },
    }),

    visa: resource({
      key: { column: "id", type: "integer", given: true },
      fields: {
        countryName: f.text({ optional: true, readonly: true }),
      },
      relations: { country: one("country", { optional: true, columns: { country_name: "name" } }) },
    }),
  },
  managed: false,
})
