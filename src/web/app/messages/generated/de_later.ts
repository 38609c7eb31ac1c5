// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../de/albums.json" with { type: "json" };
import connection from "../de/connection.json" with { type: "json" };
import editing from "../de/editing.json" with { type: "json" };
import entry from "../de/entry.json" with { type: "json" };
import faces from "../de/faces.json" with { type: "json" };
import films from "../de/films.json" with { type: "json" };
import form from "../de/form.json" with { type: "json" };
import guest from "../de/guest.json" with { type: "json" };
import imports from "../de/imports.json" with { type: "json" };
import keys from "../de/keys.json" with { type: "json" };
import lightbox from "../de/lightbox.json" with { type: "json" };
import link from "../de/link.json" with { type: "json" };
import map from "../de/map.json" with { type: "json" };
import meaning from "../de/meaning.json" with { type: "json" };
import memories from "../de/memories.json" with { type: "json" };
import operator from "../de/operator.json" with { type: "json" };
import phone from "../de/phone.json" with { type: "json" };
import pictureFrame from "../de/pictureFrame.json" with { type: "json" };
import prove from "../de/prove.json" with { type: "json" };
import safety from "../de/safety.json" with { type: "json" };
import saving from "../de/saving.json" with { type: "json" };
import search from "../de/search.json" with { type: "json" };
import secrets from "../de/secrets.json" with { type: "json" };
import settings from "../de/settings.json" with { type: "json" };
import shared from "../de/shared.json" with { type: "json" };
import sharing from "../de/sharing.json" with { type: "json" };
import similar from "../de/similar.json" with { type: "json" };
import slideshow from "../de/slideshow.json" with { type: "json" };
import sphere from "../de/sphere.json" with { type: "json" };
import stacks from "../de/stacks.json" with { type: "json" };
import things from "../de/things.json" with { type: "json" };
import trash from "../de/trash.json" with { type: "json" };
import upload from "../de/upload.json" with { type: "json" };
import words from "../de/words.json" with { type: "json" };

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
