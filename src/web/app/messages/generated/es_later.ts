// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../es/albums.json" with { type: "json" };
import connection from "../es/connection.json" with { type: "json" };
import editing from "../es/editing.json" with { type: "json" };
import entry from "../es/entry.json" with { type: "json" };
import faces from "../es/faces.json" with { type: "json" };
import films from "../es/films.json" with { type: "json" };
import form from "../es/form.json" with { type: "json" };
import guest from "../es/guest.json" with { type: "json" };
import imports from "../es/imports.json" with { type: "json" };
import keys from "../es/keys.json" with { type: "json" };
import lightbox from "../es/lightbox.json" with { type: "json" };
import link from "../es/link.json" with { type: "json" };
import map from "../es/map.json" with { type: "json" };
import meaning from "../es/meaning.json" with { type: "json" };
import memories from "../es/memories.json" with { type: "json" };
import operator from "../es/operator.json" with { type: "json" };
import phone from "../es/phone.json" with { type: "json" };
import pictureFrame from "../es/pictureFrame.json" with { type: "json" };
import prove from "../es/prove.json" with { type: "json" };
import safety from "../es/safety.json" with { type: "json" };
import saving from "../es/saving.json" with { type: "json" };
import search from "../es/search.json" with { type: "json" };
import secrets from "../es/secrets.json" with { type: "json" };
import settings from "../es/settings.json" with { type: "json" };
import shared from "../es/shared.json" with { type: "json" };
import sharing from "../es/sharing.json" with { type: "json" };
import similar from "../es/similar.json" with { type: "json" };
import slideshow from "../es/slideshow.json" with { type: "json" };
import sphere from "../es/sphere.json" with { type: "json" };
import stacks from "../es/stacks.json" with { type: "json" };
import things from "../es/things.json" with { type: "json" };
import trash from "../es/trash.json" with { type: "json" };
import upload from "../es/upload.json" with { type: "json" };
import words from "../es/words.json" with { type: "json" };

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
