// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../pt/albums.json" with { type: "json" };
import connection from "../pt/connection.json" with { type: "json" };
import editing from "../pt/editing.json" with { type: "json" };
import entry from "../pt/entry.json" with { type: "json" };
import faces from "../pt/faces.json" with { type: "json" };
import films from "../pt/films.json" with { type: "json" };
import form from "../pt/form.json" with { type: "json" };
import guest from "../pt/guest.json" with { type: "json" };
import imports from "../pt/imports.json" with { type: "json" };
import keys from "../pt/keys.json" with { type: "json" };
import lightbox from "../pt/lightbox.json" with { type: "json" };
import link from "../pt/link.json" with { type: "json" };
import map from "../pt/map.json" with { type: "json" };
import meaning from "../pt/meaning.json" with { type: "json" };
import memories from "../pt/memories.json" with { type: "json" };
import operator from "../pt/operator.json" with { type: "json" };
import phone from "../pt/phone.json" with { type: "json" };
import pictureFrame from "../pt/pictureFrame.json" with { type: "json" };
import prove from "../pt/prove.json" with { type: "json" };
import safety from "../pt/safety.json" with { type: "json" };
import saving from "../pt/saving.json" with { type: "json" };
import search from "../pt/search.json" with { type: "json" };
import secrets from "../pt/secrets.json" with { type: "json" };
import settings from "../pt/settings.json" with { type: "json" };
import shared from "../pt/shared.json" with { type: "json" };
import sharing from "../pt/sharing.json" with { type: "json" };
import similar from "../pt/similar.json" with { type: "json" };
import slideshow from "../pt/slideshow.json" with { type: "json" };
import sphere from "../pt/sphere.json" with { type: "json" };
import stacks from "../pt/stacks.json" with { type: "json" };
import things from "../pt/things.json" with { type: "json" };
import trash from "../pt/trash.json" with { type: "json" };
import upload from "../pt/upload.json" with { type: "json" };
import words from "../pt/words.json" with { type: "json" };

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
