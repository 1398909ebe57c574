// What a reader chose, kept in the address: #explorer?x=arcs&is.graph=rome99

const PLACE = "#explorer?";
let chosen = new URLSearchParams();
const watchers = [];
addEventListener("submit", (event) => event.preventDefault()); // forms lead nowhere

function readAddress() {
  if (!location.hash.startsWith(PLACE)) return false;
  chosen = new URLSearchParams(location.hash.slice(PLACE.length));
  return true;
}

const choice = (key, standard = "") => chosen.get(key) ?? standard;

// Change choices, which may have several values; null removes one. Only what differs from the standard view is in the address.
function choose(changes) {
  for (const [key, value] of Object.entries(changes)) {
    chosen.delete(key);
    for (const each of [value].flat()) if (each !== null && each !== "") chosen.append(key, each);
  }
  const query = chosen.toString();
  history.replaceState(null, "", query ? PLACE + query : "#explorer");
  for (const watcher of watchers) watcher(Object.keys(changes));
}
