// The rules for the pages' scripts: the recommended ones, and lines that fit.
import js from "@eslint/js";
import globals from "globals";

export default [
  {
    ...js.configs.recommended,
    files: ["*.js"],
  },
  {
    ...js.configs.recommended,
    files: ["src/houseway/web/static/js/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    rules: {
      ...js.configs.recommended.rules,
      eqeqeq: "error",
      "max-len": ["error", { code: 128 }],
      "max-statements-per-line": ["error", { max: 1 }],
      "no-unused-vars": "error",
      "no-var": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
    },
  },
];
