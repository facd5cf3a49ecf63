import { mount } from "svelte";
import App from "./App.svelte";
import { language, speak } from "./lib/language.svelte.ts";
import "./lib/renew.ts";
import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";

speak(language.lang);
const target = document.getElementById("app");
if (target) mount(App, { target });

if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js");
