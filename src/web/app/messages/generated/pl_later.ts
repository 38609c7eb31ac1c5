// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../pl/albums.json" with { type: "json" };
import connection from "../pl/connection.json" with { type: "json" };
import editing from "../pl/editing.json" with { type: "json" };
import entry from "../pl/entry.json" with { type: "json" };
import faces from "../pl/faces.json" with { type: "json" };
import films from "../pl/films.json" with { type: "json" };
import form from "../pl/form.json" with { type: "json" };
import guest from "../pl/guest.json" with { type: "json" };
import imports from "../pl/imports.json" with { type: "json" };
import keys from "../pl/keys.json" with { type: "json" };
import lightbox from "../pl/lightbox.json" with { type: "json" };
import link from "../pl/link.json" with { type: "json" };
import map from "../pl/map.json" with { type: "json" };
import meaning from "../pl/meaning.json" with { type: "json" };
import memories from "../pl/memories.json" with { type: "json" };
import operator from "../pl/operator.json" with { type: "json" };
import phone from "../pl/phone.json" with { type: "json" };
import pictureFrame from "../pl/pictureFrame.json" with { type: "json" };
import prove from "../pl/prove.json" with { type: "json" };
import safety from "../pl/safety.json" with { type: "json" };
import saving from "../pl/saving.json" with { type: "json" };
import search from "../pl/search.json" with { type: "json" };
import secrets from "../pl/secrets.json" with { type: "json" };
import settings from "../pl/settings.json" with { type: "json" };
import shared from "../pl/shared.json" with { type: "json" };
import sharing from "../pl/sharing.json" with { type: "json" };
import similar from "../pl/similar.json" with { type: "json" };
import slideshow from "../pl/slideshow.json" with { type: "json" };
import sphere from "../pl/sphere.json" with { type: "json" };
import stacks from "../pl/stacks.json" with { type: "json" };
import things from "../pl/things.json" with { type: "json" };
import trash from "../pl/trash.json" with { type: "json" };
import upload from "../pl/upload.json" with { type: "json" };
import words from "../pl/words.json" with { type: "json" };

export const texts = {
  albums,
  connection,
  editing,
  entry,
  faces,
  films,
  form,
  guest,
  imports,
  keys,
  lightbox,
  link,
  map,
  meaning,
  memories,
  operator,
  phone,
  pictureFrame,
  prove,
  safety,
  saving,
  search,
  secrets,
  settings,
  shared,
  sharing,
  similar,
  slideshow,
  sphere,
  stacks,
  things,
  trash,
  upload,
  words,
};
