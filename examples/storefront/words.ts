// The vocabulary of the example's data: names from many scripts, and text that is awkward on purpose.

export const given = [
  ["Ada", "ada"],
  ["Zoë", "zoe"],
  ["Łukasz", "lukasz"],
  ["Ólafur", "olafur"],
  ["José", "jose"],
  ["Åsa", "asa"],
  ["Ngọc", "ngoc"],
  ["Søren", "soren"],
  ["Chloé", "chloe"],
  ["Δημήτρης", "dimitris"],
  ["Ирина", "irina"],
  ["花子", "hanako"],
  ["민준", "minjun"],
  ["ليلى", "layla"],
  ["אורי", "uri"],
  ["Priya", "priya"],
  ["zeno", "zeno"],
  ["Ben", "ben"],
  ["Çağla", "cagla"],
  ["İpek", "ipek"],
] as const

export const family = [
  ["Lovelace", "lovelace"],
  ["O'Brien", "obrien"],
  ["Ångström", "angstrom"],
  ["Żółć", "zolc"],
  ["García-Márquez", "garcia"],
  ["van der Berg", "vanderberg"],
  ["Nguyễn", "nguyen"],
  ["Παπαδόπουλος", "papadopoulos"],
  ["Кузнецова", "kuznetsova"],
  ["山田", "yamada"],
  ["김", "kim"],
  ["حداد", "haddad"],
  ["Straße", "strasse"],
  ["Smith", "smith"],
  ["smith", "smith2"],
  ['"Quote" Jones', "jones"],
  ["Back\\slash", "backslash"],
] as const

export const mailDomains = ["example.com", "example.org", "example.net", "post.example"] as const

export const notes = [
  "Calls before noon.",
  "Prefers e-mail; pays late, but pays.",
  "Two lines:\nthe second one.",
  'A tab\tand a "quote"',
  "100% satisfied_customer",
  "Gift wrap 🎁 for every order",
  "",
] as const

export const cities = [
  ["Reykjavík", "IS"],
  ["København", "DK"],
  ["Kraków", "PL"],
  ["São Paulo", "BR"],
  ["東京", "JP"],
  ["서울", "KR"],
  ["Αθήνα", "GR"],
  ["Hamburg", "DE"],
  ["St. John's", "CA"],
  ["Tel Aviv", "IL"],
] as const

export const streets = [
  "Main Street",
  "Rue de l'Église",
  "Hauptstraße",
  "Calle Ñandú",
  "Storgatan",
  "桜通り",
] as const

/** Roots of the category tree, each with its children; a child may have children of its own. */
export const categoryTree = [
  [
    "Clothing",
    [
      ["Shirts", ["Polo shirts", "T-shirts"]],
      ["Jackets", []],
      ["Caps & hats", []],
    ],
  ],
  [
    "Home",
    [
      ["Kitchen", ["Cups", "Knives"]],
      ["Bedding", []],
      ["Lamps", []],
    ],
  ],
  [
    "Outdoor",
    [
      ["Tents", []],
      ["Rucksacks", []],
    ],
  ],
  [
    "Stationery",
    [
      ["Notebooks", []],
      ["Pens", ["Fountain pens"]],
    ],
  ],
  [
    "Café",
    [
      ["Coffee", []],
      ["Tea", []],
    ],
  ],
  ["Uncategorised", []],
] as const

export const adjectives = [
  "Plain",
  "Striped",
  "Crème",
  "Midnight",
  "100% cotton",
  "Nº 5",
  "Foldable",
  "Über-warm",
  "Hand_made",
  "Tiny",
  "日本",
  "recycled",
] as const

export const things = [
  "shirt",
  "jacket",
  "cap",
  "mug",
  "knife",
  "duvet",
  "lamp",
  "tent",
  "rucksack",
  "notebook",
  "pen",
  "espresso",
  "green tea",
  "teapot",
] as const

export const colours = [
  "black",
  "white",
  "red",
  "navy blue",
  "crème",
  "vert d'eau",
  "藍",
  "grey, light",
] as const

export const materials = ["cotton", "wool", "steel", "paper", "bamboo"] as const

export const descriptions = [
  "Made to last, mended for free.",
  "Soft. Softer after the first wash.",
  "Keeps tea warm for an hour & a half.",
  'For people who say "just one more chapter".',
  "Line one.\nLine two.\n\nLine four.",
  "Weighs less than 1 %_of_ what you think.",
] as const

/** Coupons: the reduction in percent, and the number of uses left. */
export const coupons = [
  { code: "welcome", percent: 10, left: 500 },
  { code: "spring", percent: 25, left: 1 },
  { code: "bygone", percent: 50, left: 0 },
]

export const tagNames = [
  "new",
  "sale",
  "bestseller",
  "eco",
  "limited",
  "gift",
  "handmade",
  "vegan",
  "last-chance",
  "winter",
  "summer",
  "kids",
  "office",
  "travel",
  "organic",
  "waterproof",
  "heirloom",
  "imported",
  "local",
  "retired",
] as const

export const carriers = ["Postal", "Swift & Sons", "Nordlys Fragt"] as const
