// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../nl/albums.json" with { type: "json" };
import connection from "../nl/connection.json" with { type: "json" };
import editing from "../nl/editing.json" with { type: "json" };
import entry from "../nl/entry.json" with { type: "json" };
import faces from "../nl/faces.json" with { type: "json" };
import films from "../nl/films.json" with { type: "json" };
import form from "../nl/form.json" with { type: "json" };
import guest from "../nl/guest.json" with { type: "json" };
import imports from "../nl/imports.json" with { type: "json" };
import keys from "../nl/keys.json" with { type: "json" };
import lightbox from "../nl/lightbox.json" with { type: "json" };
import link from "../nl/link.json" with { type: "json" };
import map from "../nl/map.json" with { type: "json" };
import meaning from "../nl/meaning.json" with { type: "json" };
import memories from "../nl/memories.json" with { type: "json" };
import operator from "../nl/operator.json" with { type: "json" };
import phone from "../nl/phone.json" with { type: "json" };
import pictureFrame from "../nl/pictureFrame.json" with { type: "json" };
import prove from "../nl/prove.json" with { type: "json" };
import safety from "../nl/safety.json" with { type: "json" };
import saving from "../nl/saving.json" with { type: "json" };
import search from "../nl/search.json" with { type: "json" };
import secrets from "../nl/secrets.json" with { type: "json" };
import settings from "../nl/settings.json" with { type: "json" };
import shared from "../nl/shared.json" with { type: "json" };
import sharing from "../nl/sharing.json" with { type: "json" };
import similar from "../nl/similar.json" with { type: "json" };
import slideshow from "../nl/slideshow.json" with { type: "json" };
import sphere from "../nl/sphere.json" with { type: "json" };
import stacks from "../nl/stacks.json" with { type: "json" };
import things from "../nl/things.json" with { type: "json" };
import trash from "../nl/trash.json" with { type: "json" };
import upload from "../nl/upload.json" with { type: "json" };
import words from "../nl/words.json" with { type: "json" };

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
