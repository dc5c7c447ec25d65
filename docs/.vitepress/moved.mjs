// Pages that moved: former address to today's. The site answers the former ones with a redirect.
export const moved = {
  "getting-started": "start/tutorial",
  tour: "start/tour",
  "guide/access": "guide/permissions",
  "guide/identity": "guide/sign-in",
  "guide/introspection": "guide/databases",
  "guide/transitions": "guide/states",
  "operate/limits": "reference/limits",
  "operate/settings": "reference/settings",
  "operate/steadiness": "operate/load",
}
