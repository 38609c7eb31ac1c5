// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../fr/albums.json" with { type: "json" };
import connection from "../fr/connection.json" with { type: "json" };
import editing from "../fr/editing.json" with { type: "json" };
import entry from "../fr/entry.json" with { type: "json" };
import faces from "../fr/faces.json" with { type: "json" };
import films from "../fr/films.json" with { type: "json" };
import form from "../fr/form.json" with { type: "json" };
import guest from "../fr/guest.json" with { type: "json" };
import imports from "../fr/imports.json" with { type: "json" };
import keys from "../fr/keys.json" with { type: "json" };
import lightbox from "../fr/lightbox.json" with { type: "json" };
import link from "../fr/link.json" with { type: "json" };
import map from "../fr/map.json" with { type: "json" };
import meaning from "../fr/meaning.json" with { type: "json" };
import memories from "../fr/memories.json" with { type: "json" };
import operator from "../fr/operator.json" with { type: "json" };
import phone from "../fr/phone.json" with { type: "json" };
import pictureFrame from "../fr/pictureFrame.json" with { type: "json" };
import prove from "../fr/prove.json" with { type: "json" };
import safety from "../fr/safety.json" with { type: "json" };
import saving from "../fr/saving.json" with { type: "json" };
import search from "../fr/search.json" with { type: "json" };
import secrets from "../fr/secrets.json" with { type: "json" };
import settings from "../fr/settings.json" with { type: "json" };
import shared from "../fr/shared.json" with { type: "json" };
import sharing from "../fr/sharing.json" with { type: "json" };
import similar from "../fr/similar.json" with { type: "json" };
import slideshow from "../fr/slideshow.json" with { type: "json" };
import sphere from "../fr/sphere.json" with { type: "json" };
import stacks from "../fr/stacks.json" with { type: "json" };
import things from "../fr/things.json" with { type: "json" };
import trash from "../fr/trash.json" with { type: "json" };
import upload from "../fr/upload.json" with { type: "json" };
import words from "../fr/words.json" with { type: "json" };

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
