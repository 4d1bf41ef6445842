package main

import "github.com/spf13/cobra"

func demoCmd(e *env) *cobra.Command { return &cobra.Command{Use: "demo"} }
